/** The agent's long-term memory: a file of notes, one JSON line each. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryNote {
  readonly note: string;
  readonly idempotencyKey?: string;
}

export function appendNote(directory: string, note: string, idempotencyKey: string | undefined): void {
  const line: MemoryNote = { note, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  appendFileSync(memoryFile(directory), `${JSON.stringify(line)}\n`);
}

/** All notes in order, repeats included. */
export function readNotes(directory: string): MemoryNote[] {
  const file = memoryFile(directory);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as MemoryNote);
}

function memoryFile(directory: string): string {
  return join(directory, 'memory.jsonl');
}
