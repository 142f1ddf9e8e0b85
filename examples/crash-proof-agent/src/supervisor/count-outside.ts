/** Counts effects where they count: in the outside world and in the memory file. */
import type { MemoryNote } from '../agent/memory.js';
import { REPORT_PARTS } from '../agent/split-text.js';
import type { OutsideWorld } from '../world/outside-world.js';

type Arrivals = Pick<OutsideWorld, 'emails' | 'parts'>;

/** How often each part of the report was published, in order. */
export function countParts(world: Arrivals): number[] {
  return Array.from({ length: REPORT_PARTS }, (_, index) => {
    return world.parts.filter(({ part }) => part === index + 1).length;
  });
}

/** How a tool's effect stands outside, as the call table shows it: empty for a tool that has none. */
export function countOutside(world: Arrivals, notes: readonly MemoryNote[], tool: string, about: string): string {
  switch (tool) {
    case 'write_report':
      return countParts(world).join('·');
    case 'send_email':
      return String(world.emails.filter(({ to }) => about === '' || to === about).length);
    case 'memory_append':
      return String(notes.filter(({ note }) => note === about).length);
    default:
      return '';
  }
}
