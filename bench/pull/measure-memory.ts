import { setTimeout as wait } from 'node:timers/promises';
import { inThousands, printFigure, printTitle } from '../support/print-figure.js';
import { PullBench } from './pull-bench.js';
import { PAGE_RECORDS } from './vendor-settings.js';

const MIB = 2 ** 20;

/** Maximum memory in MiB, in addition to the memory of the idle process. */
const MAX_OVER_IDLE = 128;

const RECORDS = { quick: 1_000_000, full: 10_000_000 };
const PAGE_MIB = 256;

/** Time until a started process is idle. */
const SETTLE_MS = 3_000;

export async function measureMemory(isFull: boolean): Promise<void> {
  printTitle('Memory of a worker (JOBS=pull), VmRSS every 50 ms');
  const records = isFull ? RECORDS.full : RECORDS.quick;
  const bench = await PullBench.open();
  try {
    const api = await bench.startService({ JOBS: 'rest' });
    const headers = await bench.headers();
    const connection = await bench.connect(api.origin, headers, 'any');
    await bench.enableTaps();
    for (const { name, tap, settings } of [
      { name: `${inThousands(records)} records in pages`, tap: 'records', settings: { pages: records / PAGE_RECORDS } },
      { name: `one page of ${PAGE_MIB} MiB`, tap: 'page', settings: { pageBytes: PAGE_MIB * MIB } },
    ]) {
      await bench.setVendor(settings);
      const worker = await bench.startService({ JOBS: 'pull' });
      await wait(SETTLE_MS);
      const idle = worker.memory();
      const { peak, seconds, processor } = await worker.watch(async () => {
        const id = await bench.startSync(api.origin, headers, connection, tap);
        await bench.waitForSync(api.origin, headers, id);
      });
      await worker.stop();
      const over = (peak - idle) / MIB;
      printFigure({
        name: `${name}, over idle`,
        figure: `${over.toFixed(0)} MiB`,
        baseline: `idle: ${(idle / MIB).toFixed(0)} MiB   at most ${MAX_OVER_IDLE} MiB more   (${seconds.toFixed(0)} s, ${processor.toFixed(0)} s of CPU time)`,
        isMet: over <= MAX_OVER_IDLE,
      });
    }
  } finally {
    await bench.close();
  }
}
