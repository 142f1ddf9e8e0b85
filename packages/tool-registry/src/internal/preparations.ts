/** Prepared calls: each belongs to one registry and runs once. */

import { ToolPreparationError } from '../errors.js';
import type { PreparedToolExecution } from '../tool-result.js';
import type { AdmittedTool } from './admission.js';
import { frozenCopy } from './copy-value.js';

/** The tool as it was checked, and the input that it will run on. */
export interface Preparation {
  readonly tool: AdmittedTool;
  readonly input: unknown;
}

export class Preparations {
  readonly #kept = new WeakMap<PreparedToolExecution, Preparation | 'used'>();

  /** What a reviewer is shown: frozen, and equal to what will run. */
  keep({ tool, input }: Preparation): PreparedToolExecution {
    const prepared = Object.freeze({ toolName: tool.name, input: frozenCopy(input) });
    this.#kept.set(prepared, { tool, input });
    return prepared;
  }

  /** Throws {@link ToolPreparationError} for one that is spent or not from here. */
  take(prepared: PreparedToolExecution): Preparation {
    const preparation = this.#kept.get(prepared);
    if (preparation === undefined) throw new ToolPreparationError('foreign');
    if (preparation === 'used') throw new ToolPreparationError('used');
    this.#kept.set(prepared, 'used');
    return preparation;
  }
}
