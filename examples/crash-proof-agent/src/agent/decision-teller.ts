/** Turns the middleware's decisions into the demo's words. */
import type { CallDecision } from '@holdfast/langchain';
import type { Decision } from '../protocol.js';
import type { Stage } from './stage.js';

export class DecisionTeller {
  readonly #stage: Stage;
  readonly #reconciled = new Map<string, boolean>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The outside world was asked about a tool's interrupted call, and this is what it said. */
  reconciled(tool: string, happened: boolean): void {
    this.#reconciled.set(tool, happened);
    const note = happened ? 'asked outside: had happened' : 'asked outside: had not';
    this.#stage.call({ tool, state: 'running', note });
  }

  decided({ toolName, decision, reason }: Pick<CallDecision, 'toolName' | 'decision' | 'reason'>): void {
    if (decision === 'waiting') {
      this.#stage.call({ tool: toolName, state: 'waiting', note: "for the dead process's lease" });
      return;
    }
    const state = this.#stateOf(toolName, decision);
    const note = noteFor(state, reason);
    this.#stage.call({ tool: toolName, state, ...(note !== undefined && { note }) });
    this.#reconciled.delete(toolName);
  }

  #stateOf(tool: string, decision: CallDecision['decision']): Decision {
    switch (decision) {
      case 'executed':
      case 'untracked':
        return 'executed';
      case 'replayed':
        return this.#reconciled.get(tool) === true ? 'reconciled' : 'replayed';
      case 'ambiguous':
      case 'refused':
        return decision;
      default:
        return 'failed';
    }
  }
}

function noteFor(state: Decision, reason: string | undefined): string | undefined {
  if (state === 'replayed') return 'recorded result';
  if (state === 'ambiguous') return 'not repeated on a guess';
  if (state === 'failed' || state === 'refused') return reason;
  return undefined;
}
