import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Jobs } from '../../../src/kernel/jobs/jobs.js';

/** A process that only runs jobs. It prints each job that it runs. A `long` job takes 10 minutes. */
const queue = { timeoutSeconds: 600, heartbeatSeconds: 10, concurrency: 4 };
const say =
  (name) =>
  async (_data, { id, attempt }) => {
    console.log(`${name} ${id} ${attempt}`);
    await sleep(name === 'long' ? 600_000 : 5);
  };

const jobs = new Jobs({
  databaseUrl: process.env.DATABASE_URL,
  report: () => console.log('trouble'),
  superviseSeconds: 1,
});
await jobs.start(['short', 'long'].map((name) => ({ ...queue, name, run: say(name) })));
console.log('ready');
process.on('SIGTERM', () => jobs.stop().then(() => process.exit()));
