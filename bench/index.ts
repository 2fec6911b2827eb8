import 'reflect-metadata';
import { cpus } from 'node:os';
import pg from 'pg';
import { type Bench, compare, replyTo, serveProduct, targetOf } from './comparison.js';
import { type BenchDatabase, loadVendors, openBenchDatabase } from './database.js';
import { CONTRACTS, fillResults, SERIES } from './fill-results.js';
import { composeProduct, productParts } from './product.js';
import { connectorList, deepestTree, type Read, spcResults, vendorList, vendorSearch } from './reads.js';
import { type Line, tableHead, tableLine, verdicts, type Way } from './report.js';
import { stopServing } from './serving.js';
import { countStatements } from './statement-count.js';
import { measureWalls } from './walls.js';
import { fillWorkspace } from './workspace.js';
import { copyForYardstick } from './yardstick-tables.js';

/** Connections of the yardstick, as many as the service keeps. */
const POOL_SIZE = 10;

/** Of the throughput of a one-row read, the most that the walls between workspaces may take. */
const WALL_COST = 0.25;

/** Two figures that lie close together: short rounds, and many, tell them apart. */
const WALL_PACE = { warmUp: 1, seconds: 2, rounds: 6 };

const quick = process.argv.includes('--quick');
const pace = quick ? { warmUp: 0.5, seconds: 1, rounds: 2 } : { warmUp: 2, seconds: 2, rounds: 3 };

/** Of replies of several megabytes, which take a good part of a second each: by 4 connections. */
const bigPace = { warmUp: 2, seconds: 8, rounds: quick ? 1 : 3, connections: 4 };

const database = await openBenchDatabase();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => database.close().finally(() => process.exit(1)));
try {
  await run(database);
} finally {
  await stopServing();
  await database.close();
}

async function run(opened: BenchDatabase): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 16 connections, 127.0.0.1\n`);
  await load(opened, 0, 50);
  const options = '-c search_path=yardstick -c plan_cache_mode=force_generic_plan';
  const pool = new pg.Pool({ connectionString: opened.url, max: POOL_SIZE, options });
  pool.on('error', () => undefined); // connections that end with PostgreSQL, where a signal stops the bench
  const product = await composeProduct(opened.orm);
  const { key } = await fillWorkspace(await productParts(opened.orm), 'bench');
  const charts = spcResults(await fillResults(opened.url, 'bench'));
  await copyForYardstick(opened.url);
  const bench: Bench = { product, origins: await serveProduct(product), pool, pace, key };
  try {
    await measureAll(bench, opened, charts);
  } finally {
    await pool.end();
  }
}

async function measureAll(bench: Bench, opened: BenchDatabase, charts: Read): Promise<void> {
  const lines: Line[] = [];
  const add = async (read: Read, ways: readonly Way[], data: string, setting = bench): Promise<void> => {
    const own = await compare(setting, read, ways, data);
    console.log(own.map(tableLine).join('\n'));
    lines.push(...own);
  };
  console.log(`\n${tableHead()}`);
  await add(vendorList, ['cached', 'compressed', 'uncached', 'graphql'], '50 vendors');
  await add(deepestTree, ['cached', 'compressed', 'uncached', 'graphql'], '50 vendors');
  await add(connectorList, ['uncached'], '50 vendors');
  await add(charts, ['uncached'], `${CONTRACTS} contracts x ${SERIES}`, { ...bench, pace: bigPace });
  if (!quick) {
    await load(opened, 50, 5_000);
    await add(vendorList, ['uncached'], '5,000 vendors');
    await add(vendorSearch, ['uncached'], '5,000 vendors');
  }
  await printStatementCounts(bench, charts);
  await printWalls(opened);
  console.log(`\n${verdicts(lines).join('\n')}`);
}

async function printWalls(opened: BenchDatabase): Promise<void> {
  const { walled, open } = await measureWalls(opened, WALL_PACE);
  const cost = 1 - walled.perSecond / open.perSecond;
  console.log(`\nOne row by id over REST with an API key, two statements
with row level security, each statement in a transaction that names its tenant   ${walled.perSecond.toFixed(0)} req/s
without: a role that bypasses it, the application's condition alone              ${open.perSecond.toFixed(0)} req/s
${cost <= WALL_COST ? 'met    ' : 'NOT MET'}  the walls cost at most 25 % of the throughput (${(cost * 100).toFixed(1)} %)`);
}

async function load(opened: BenchDatabase, from: number, to: number): Promise<void> {
  const seconds = await loadVendors(opened, from, to);
  console.log(`vendors ${from + 1} to ${to} loaded in ${seconds.toFixed(1)} s`);
  await copyForYardstick(opened.url);
}

async function printStatementCounts(bench: Bench, charts: Read): Promise<void> {
  console.log('\nSQL statements of one request');
  for (const read of [vendorList, vendorSearch, deepestTree, connectorList, charts]) {
    const counts: string[] = [];
    for (const way of ['cached', 'uncached', 'graphql'] as const) {
      const target = targetOf(bench, read, way);
      await replyTo(target); // fills the cache
      counts.push(`${way} ${await countStatements(() => replyTo(target))}`);
    }
    console.log(`${read.name.padEnd(20)}${counts.join(', ')}`);
  }
}
