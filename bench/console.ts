import 'reflect-metadata';
import { cpus } from 'node:os';
import { launchBrowser } from '../scripts/launch-browser.js';
import { DEMO_WORKSPACE } from '../src/tenancy/workspaces/seed-demo.js';
import { fillConsoleWorkspace } from './console/fill-console-workspace.js';
import { measureScreen } from './console/measure-screen.js';
import { PullBench } from './pull/pull-bench.js';
import { printFigure } from './support/print-figure.js';

const CONNECTIONS = 10_000;
const TABLES = 1_000;

const MAX_REQUESTS = 3;
const MAX_MS = 200;

const bench = await PullBench.open();
try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores: ${CONNECTIONS.toLocaleString('en')} connections with a sync today, ${TABLES.toLocaleString('en')} tables`,
  );
  const service = await bench.startService({ JOBS: 'rest' });
  const screens = await fillConsoleWorkspace(bench, service.origin, { connections: CONNECTIONS, tables: TABLES });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(service.origin);
  await page.getByRole('button', { name: /owner/ }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  for (const [name, path] of Object.entries(screens)) {
    const { requests, milliseconds, slowest } = await measureScreen(
      page,
      `${service.origin}/w/${DEMO_WORKSPACE}${path}`,
    );
    printFigure({
      name,
      figure: `${milliseconds.toFixed(0)} ms`,
      baseline: `limit: ${MAX_MS} ms   ${requests} requests, at most ${MAX_REQUESTS}   slowest: ${slowest}`,
      isMet: milliseconds <= MAX_MS && requests <= MAX_REQUESTS,
    });
  }
  await browser.close();
} finally {
  await bench.close();
}
