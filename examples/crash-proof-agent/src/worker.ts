/** The process that gets killed: one agent that does the job, from the beginning or from where it was left. */
import { connectStage, type Stage } from './agent/stage.js';
import type { Job, WorkerSummary } from './protocol.js';

async function run(job: Job, stage: Stage): Promise<WorkerSummary> {
  switch (job.mode) {
    case 'holdfast':
      return (await import('./agent/holdfast-agent.js')).runWithHoldfast(job, stage);
    case 'plain':
      return (await import('./agent/plain-agent.js')).runPlain(job, stage);
    case 'no-kill':
      return (await import('./agent/no-kill.js')).runWithoutKill(job, stage);
  }
}

const { stage, job } = await connectStage();
try {
  stage.leave({ kind: 'done', summary: await run(job, stage) });
} catch (error) {
  console.error(error);
  stage.leave({ kind: 'failed', error: `${error instanceof Error ? error.message : error} (more in worker.log)` });
}
