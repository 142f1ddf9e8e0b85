/** One worker: it begins the thread of each order, or goes on where the checkpoints end. */

import { connectMailer, enterStage } from '@holdfast/example-stage';
import { openPostgresReceiptStore } from '@holdfast/receipts-postgres';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { type AgentHost, agentFor } from './agent.js';
import { type Order, orders, type Settings } from './settings.js';

const { settings, stage } = enterStage<Settings>();
const { schema } = settings;
const pool = new pg.Pool({ connectionString: settings.databaseUrl });
pool.on('error', (error) => console.error(error.message));
const host: AgentHost = {
  checkpointer: new PostgresSaver(pool, undefined, { schema }),
  store: settings.receipts ? await openPostgresReceiptStore(pool, { schema }) : undefined,
  mailer: connectMailer(settings.worldUrl),
  stage,
};

await Promise.all(orders.map(work));
await stage.closing;
await pool.end();

async function work(order: Order): Promise<void> {
  const agent = agentFor(order, host);
  // `sync` stores the model's call before its tool runs: who resumes the thread finds it, and asks no model again.
  const config = { configurable: { thread_id: order.id }, durability: 'sync' as const };
  const { values, next } = await agent.graph.getState(config);
  const begun = (values as { readonly messages?: unknown }).messages !== undefined;
  if (!begun || next.length > 0) {
    stage.tell({ kind: 'delivered', job: order.id });
    const task = { messages: [{ role: 'user', content: `Confirm ${order.id} to ${order.email}.` }] };
    await agent.invoke(begun ? null : task, config);
  }
  stage.tell({ kind: 'finished', job: order.id });
}
