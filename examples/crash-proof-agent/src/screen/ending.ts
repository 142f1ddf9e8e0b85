/** The last lines: the proof, and what became of each kill. */
import type { DemoOptions } from '../options.js';
import type { KillRecord, Proof } from '../supervisor/proof.js';
import type { Paint } from './paint.js';
import type { Ending } from './screen.js';
import { fit } from './text.js';

export function endingFor(proof: Proof, options: DemoOptions, error: string | undefined, paint: Paint): Ending {
  const claims = proof.claims.map(({ claim, found, holds }) => {
    const mark = holds ? paint('green', '✓') : paint('red', '✗');
    return ` ${mark} ${fit(claim, 40)}  ${paint(holds ? 'bold' : 'red', found)}`;
  });
  return { proof: [...claims, ...verdict(proof, options, error, paint)], byKill: killLines(proof.kills, paint) };
}

function killLines(kills: readonly KillRecord[], paint: Paint): string[] {
  const head = paint('dim', ` ${fit('killed when', 26)}  ${fit('call', 14)}  ${fit('outside', 8)}  then`);
  const lines = kills.map(({ moment, tool, aftermath, outside, once }) => {
    const count = paint(once ? 'green' : 'red', fit(outside, 8));
    return ` ${fit(moment, 26)}  ${fit(tool, 14)}  ${count}  ${paint('dim', aftermath)}`;
  });
  return [head, ...lines];
}

function verdict(proof: Proof, options: DemoOptions, error: string | undefined, paint: Paint): string[] {
  const kills = `${proof.kills.length} kills`;
  if (error !== undefined) return [paint('red', ` The run broke off: ${error}`)];
  if (options.without) {
    if (proof.repeats === 0)
      return [paint('yellow', ` ${kills} and nothing was repeated: nothing is shown by this run.`)];
    return [paint('red', ` Without Holdfast: ${kills}, and ${proof.repeats} effects happened again.`)];
  }
  if (!proof.holds) return [paint('red', ' The proof does not hold.')];
  const once = ` The proof holds: ${kills}, and every effect happened exactly once.`;
  if (options.reconcile) return [paint('green', once)];
  return [
    paint('green', ` The proof holds: ${kills}, and no effect happened twice.`),
    paint('yellow', ' The e-mail is not guessed at: its receipt is ambiguous and waits for a person.'),
  ];
}
