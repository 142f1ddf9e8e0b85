/** LangGraph's SQLite checkpointer, with a switch that makes its writes lag behind. */
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

export class LaggingSqliteSaver extends SqliteSaver {
  #lagging = false;

  /**
   * From now on nothing is written any more. LangGraph does not wait for checkpoints before it goes on (its default
   * durability is `async`), so this is what a run looks like whose database answers late.
   */
  lag(): void {
    this.#lagging = true;
  }

  override async put(...args: Parameters<SqliteSaver['put']>): ReturnType<SqliteSaver['put']> {
    if (this.#lagging) return never();
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<SqliteSaver['putWrites']>): Promise<void> {
    if (this.#lagging) return never();
    return super.putWrites(...args);
  }
}

export function openCheckpoints(path: string): LaggingSqliteSaver {
  const { db } = LaggingSqliteSaver.fromConnString(path) as SqliteSaver;
  return new LaggingSqliteSaver(db);
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
