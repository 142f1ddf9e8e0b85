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

/** What a reviewer is shown, frozen; private fields hold an equal input that nobody else can reach. */
export class PreparedCall implements PreparedToolExecution {
  readonly toolName: string;
  readonly input: unknown;
  readonly #owner: object;
  /** `undefined` once it has been taken. */
  #preparation: Preparation | undefined;

  constructor(preparation: Preparation, owner: object) {
    this.toolName = preparation.tool.name;
    this.input = frozenCopy(preparation.input);
    this.#owner = owner;
    this.#preparation = preparation;
    Object.freeze(this);
  }

  /** Spends a preparation. Throws {@link ToolPreparationError} for one that is spent or not of this owner. */
  static take(prepared: unknown, owner: object): Preparation {
    const isOne = typeof prepared === 'object' && prepared !== null && #owner in prepared;
    if (!isOne || prepared.#owner !== owner) throw new ToolPreparationError('foreign');
    const preparation = prepared.#preparation;
    if (preparation === undefined) throw new ToolPreparationError('used');
    prepared.#preparation = undefined;
    return preparation;
  }
}
