/**
 * How every benchmark here measures: all contenders in one process, each once a round in rotated order, and the median
 * over the rounds of each contender's ratio to the base of the same round. Ratios hold on a busy machine; times do not.
 */

const DEFAULTS = { rounds: 9, warmUps: 2, roundMs: 30, clock: 'cpu' };

/**
 * Runs `contenders` against each other, prints one line and gives the median ratio and microseconds a call of each.
 *
 * A contender is a function, or `{ run, calls }` where `calls` is how many operations one run stands for (a sampled
 * contender of quadratic cost passes a fraction). A promise is awaited. `base` names the contender that counts as 1;
 * `clock` is `cpu` for work in this process and `wall` for work that waits for a server.
 */
export async function compare(title, contenders, options = {}) {
  const { base, rounds, warmUps, roundMs, clock } = { base: Object.keys(contenders)[0], ...DEFAULTS, ...options };
  const entries = Object.entries(contenders).map(([name, given]) => ({
    name,
    run: typeof given === 'function' ? given : given.run,
    calls: given.calls ?? 1,
    times: [],
  }));
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(turn + round + warmUps) % entries.length];
      const time = (await timePerRun(entry.run, roundMs, clock)) / entry.calls;
      if (round >= 0) entry.times.push(time);
    }
  }
  const baseTimes = entries.find(({ name }) => name === base).times;
  const results = entries.map(({ name, times }) => ({
    name,
    ratio: median(times.map((time, round) => time / baseTimes[round])),
    micros: 1_000 * median(times),
  }));
  console.log(`${title} (${base} = 1)`);
  for (const { name, ratio, micros } of results) {
    console.log(`  ${name.padEnd(34)} ${ratio.toPrecision(3).padStart(9)}   ${micros.toPrecision(4).padStart(9)} µs`);
  }
  return new Map(results.map((result) => [result.name, result]));
}

/** The exponent of growth: the slope of log(time) over log(size) by least squares. */
export function growthExponent(points) {
  const logs = points.map(([size, time]) => [Math.log(size), Math.log(time)]);
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const slope = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return slope / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Milliseconds a run. What a run returns is looked at, so that text which the engine keeps as a tree gets flat. */
async function timePerRun(run, roundMs, clock) {
  const read = clock === 'cpu' ? cpuMs : () => performance.now();
  const start = read();
  let runs = 0;
  let spent = 0;
  // Reading the clock costs about a microsecond, so it is read less often the more runs fit between two readings.
  for (let batch = 1; spent < roundMs; batch *= 2) {
    for (let turn = 0; turn < batch; turn++, runs++) {
      const given = run();
      touch(given instanceof Promise ? await given : given);
    }
    spent = read() - start;
    if (spent > roundMs / 4) batch = Math.max(1, batch >> 2);
  }
  return spent / runs;
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const touched = { code: 0 };
function touch(value) {
  if (typeof value === 'string') touched.code ^= value.charCodeAt(value.length >> 1);
}
