/**
 * How every benchmark here measures: all contenders in one process, each once a round in rotated order, and the median
 * over the rounds of each contender's ratio to the base of the same round. Ratios hold on a busy machine; times do not.
 */

import { readFileSync } from 'node:fs';

const DEFAULTS = { rounds: 9, warmUps: 2, roundMs: 30, clock: 'cpu' };

/**
 * Runs `contenders` against each other, prints one line and gives the median ratio and microseconds a call of each.
 *
 * A contender is a function, or `{ run, calls }` where `calls` is how many operations one run stands for (a sampled
 * contender of quadratic cost passes a fraction). A promise is awaited. `base` names the contender that counts as 1;
 * `clock` is `cpu` for work in this process and `wall` for work that waits for a server. With `servers`, the process ids
 * of servers on this machine, processor time of this process and theirs is given too: it hardly depends on what else the
 * machine and its disk do. Linux only; without /proc there are no such figures.
 */
export async function compare(title, contenders, options = {}) {
  const { base, rounds, warmUps, roundMs, clock, servers } = {
    base: Object.keys(contenders)[0],
    ...DEFAULTS,
    ...options,
  };
  const entries = Object.entries(contenders).map(([name, given]) => ({
    name,
    run: typeof given === 'function' ? given : given.run,
    calls: given.calls ?? 1,
    times: [],
    efforts: [],
  }));
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(turn + round + warmUps) % entries.length];
      const before = cpuWith(servers);
      const { time, runs } = await timePerRun(entry.run, roundMs, clock);
      if (round < 0) continue;
      entry.times.push(time / entry.calls);
      entry.efforts.push((cpuWith(servers) - before) / runs / entry.calls);
    }
  }
  const { times: baseTimes, efforts: baseEfforts } = entries.find(({ name }) => name === base);
  const results = entries.map(({ name, times, efforts }) => ({
    name,
    ratio: median(times.map((time, round) => time / baseTimes[round])),
    micros: 1_000 * median(times),
    ...(servers && {
      cpuRatio: median(efforts.map((effort, round) => effort / baseEfforts[round])),
      cpuMicros: 1_000 * median(efforts),
    }),
  }));
  console.log(`${title} (${base} = 1)`);
  for (const { name, ratio, micros, cpuRatio, cpuMicros } of results) {
    const cpu = servers ? `, processors ${columns(cpuRatio, cpuMicros)}` : '';
    console.log(`  ${name.padEnd(34)} ${columns(ratio, micros)}${cpu}`);
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

function columns(ratio, micros) {
  return `${ratio.toPrecision(3).padStart(9)}   ${micros.toPrecision(4).padStart(9)} µs`;
}

/** Milliseconds a run, and how many runs. What a run returns is looked at, so that text which the engine keeps as a tree gets flat. */
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
  return { time: spent / runs, runs };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of processor time of this process and of the main threads of others. */
function cpuWith(pids = []) {
  return cpuMs() + pids.reduce((sum, pid) => sum + schedulerMs(pid), 0);
}

/** What a process that has gone has used is not known, and nothing is made up for it. */
function schedulerMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

const touched = { code: 0 };
function touch(value) {
  if (typeof value === 'string') touched.code ^= value.charCodeAt(value.length >> 1);
}
