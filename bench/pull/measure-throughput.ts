import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { medianOf } from '../support/median-of.js';
import { inThousands, printFigure, printTitle } from '../support/print-figure.js';
import { PullBench } from './pull-bench.js';
import { PAGE_RECORDS } from './vendor-settings.js';

const PAGES = { quick: 500, full: 5_000 };
const WARM_UP_PAGES = 50;
const ROUNDS = 3;

/** Minimum ratio of the service's throughput to the baseline's throughput. */
const MIN_RATIO = 0.5;

interface Usage {
  readonly seconds: number;
  /** CPU seconds. */
  readonly processor: number;
}

export async function measureThroughput(isFull: boolean): Promise<void> {
  const pages = isFull ? PAGES.full : PAGES.quick;
  const records = pages * PAGE_RECORDS;
  printTitle(`Throughput: ${inThousands(records)} records of 7 fields in ${inThousands(pages)} pages become a table`);
  const bench = await PullBench.open();
  try {
    const service = await bench.startService();
    const headers = await bench.headers();
    const connection = await bench.connect(service.origin, headers, 'any');
    const sync = (): Promise<Usage> =>
      service.watch(async () => {
        const id = await bench.startSync(service.origin, headers, connection, 'records');
        await bench.waitForSync(service.origin, headers, id);
      });
    await bench.setVendor({ pages: WARM_UP_PAGES });
    await sync();
    const own: Usage[] = [];
    const bare: Usage[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await bench.setVendor({ pages });
      own.push(await sync());
      bare.push(await barePull(bench.vendor.origin));
    }
    for (const [kind, unit] of [
      ['seconds', 'records/s'],
      ['processor', 'records per CPU second'],
    ] as const) {
      const [rate, baseline] = [own, bare].map((usages) => records / medianOf(usages.map((usage) => usage[kind]))) as [
        number,
        number,
      ];
      printFigure({
        name: unit,
        figure: inThousands(rate),
        baseline: `undici and DuckDB alone: ${inThousands(baseline)}   ratio ${(rate / baseline).toFixed(2)}, at least ${MIN_RATIO}`,
        isMet: rate >= MIN_RATIO * baseline,
      });
    }
  } finally {
    await bench.close();
  }
}

async function barePull(origin: string): Promise<Usage> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'dist/bench/pull/bare-pull.js'), origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(Buffer.concat(await child.stdout.toArray()).toString());
}
