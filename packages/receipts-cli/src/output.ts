/** Where the command prints, and whom it can ask. */

import { createInterface } from 'node:readline/promises';
import { visibleJson } from './visible.js';

export interface Output {
  /** For people. */
  print(text: string): void;
  /** For programs: one document. */
  json(value: unknown): void;
  /** For programs: one line of many. */
  jsonLine(value: unknown): void;
  /** What people are told while a program reads the output. */
  say(text: string): void;
}

export const output: Output = {
  print: (text) => void process.stdout.write(text),
  json: (value) => void process.stdout.write(`${visibleJson(value, 2)}\n`),
  jsonLine: (value) => void process.stdout.write(`${visibleJson(value)}\n`),
  say: (text) => void process.stderr.write(text),
};

/** Whether there is a person to ask. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a yes. Everything else is a no, the end of input too. */
export async function confirms(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
