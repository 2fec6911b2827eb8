import 'reflect-metadata';
import { cpus } from 'node:os';
import pg from 'pg';
import { copyBaselineTables } from './reads/baseline-tables.js';
import { benchServices, composeBenchService } from './reads/bench-service.js';
import {
  type BenchmarkedRead,
  connectorList,
  deepestGroupingTree,
  spcResults,
  vendorList,
  vendorSearch,
} from './reads/benchmarked-reads.js';
import { comparePostgraphile } from './reads/compare-postgraphile.js';
import { type BenchContext, compareRead, fetchBytes, readTarget, startBenchService } from './reads/compare-read.js';
import { countStatements } from './reads/count-statements.js';
import { CONTRACT_COUNT, fillSpcResults, SERIES_COUNT } from './reads/fill-spc-results.js';
import { fillWorkspace } from './reads/fill-workspace.js';
import { measureRowSecurity } from './reads/measure-row-security.js';
import {
  compareToTargets,
  formatReportLine,
  type ReadVariant,
  type ReportLine,
  reportHeader,
} from './reads/read-report.js';
import { type BenchDatabase, loadVendors, openBenchDatabase } from './support/bench-database.js';
import { formatTarget } from './support/format-target.js';
import { stopServers } from './support/serve-app.js';

/** Equals the pool size of the service. */
const POOL_SIZE = 10;

/** Tenant isolation may reduce the throughput of a one-row read by at most this share. */
const MAX_ROW_SECURITY_COST = 0.25;

/** More rounds than `pace`, because the effect of row level security is small. */
const ROW_SECURITY_PROFILE = { warmUp: 1, seconds: 2, rounds: 6 };

const quick = process.argv.includes('--quick');

const nestedOnly = process.argv.includes('--nested');
const pace = quick ? { warmUp: 0.5, seconds: 1, rounds: 5 } : { warmUp: 2, seconds: 2, rounds: 5 };

/** Only 4 connections, because a response of several megabytes takes a large part of a second. */
const bigPace = { warmUp: 2, seconds: 8, rounds: quick ? 1 : 3, connections: 4 };

const CONDITIONS = `Service: all middleware of production, rate limits off, no log lines. "Without cache", each request queries PostgreSQL.
Baselines: the same Koa in the same process with default server settings, but without authentication, request ids of the
client, security headers, validation, metrics and errors. The SQL statements of the baselines read copies of the tables with
precomputed base62 ids, without row level security, through a pool of the same size. The baselines send PostgreSQL's JSON unchanged.
"CPU µs" is the processor time per request of the thread that serves HTTP. Ratios are medians of the ratios of rounds.`;

const database = await openBenchDatabase();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => database.close().finally(() => process.exit(1)));
try {
  await run(database);
} finally {
  await stopServers();
  await database.close();
}

async function run(opened: BenchDatabase): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 16 connections, 127.0.0.1\n`);
  await load(opened, 0, 50);
  const options = '-c search_path=baseline -c plan_cache_mode=force_generic_plan';
  const pool = new pg.Pool({ connectionString: opened.url, max: POOL_SIZE, options });
  pool.on('error', () => undefined); // When a signal stops PostgreSQL, the idle connections fail.
  const origins = await startBenchService(await composeBenchService(opened));
  const { key } = await fillWorkspace(await benchServices(opened.orm, opened.dataDir), 'bench');
  const charts = spcResults(await fillSpcResults(opened.url, 'bench'));
  await copyBaselineTables(opened.url);
  const bench: BenchContext = { origins, pool, pace, key };
  try {
    await measureAll(bench, opened, charts);
  } finally {
    await pool.end();
  }
}

async function measureAll(bench: BenchContext, opened: BenchDatabase, charts: BenchmarkedRead): Promise<void> {
  const lines: ReportLine[] = [];
  const addNested = async (data: string): Promise<void> => print(await comparePostgraphile(bench, opened.url, data));
  const add = async (
    read: BenchmarkedRead,
    variants: readonly ReadVariant[],
    data: string,
    setting = bench,
  ): Promise<void> => {
    if (!nestedOnly) print(await compareRead(setting, read, variants, data));
  };
  const print = (own: readonly ReportLine[]): void => {
    console.log(own.map(formatReportLine).join('\n'));
    lines.push(...own);
  };
  console.log(`\n${CONDITIONS}\n\n${reportHeader()}`);
  await add(vendorList, ['cached', 'compressed', 'uncached'], '50 vendors');
  await add(deepestGroupingTree, ['cached', 'compressed', 'uncached'], '50 vendors');
  await add(connectorList, ['uncached'], '50 vendors');
  await add(charts, ['uncached'], `${CONTRACT_COUNT} contracts x ${SERIES_COUNT}`, { ...bench, pace: bigPace });
  await addNested('50 vendors');
  if (!quick) {
    await load(opened, 50, 5_000);
    await add(vendorList, ['uncached'], '5,000 vendors');
    await add(vendorSearch, ['uncached'], '5,000 vendors');
    await add(connectorList, ['uncached'], '5,000 vendors');
    await addNested('5,000 vendors');
  }
  if (nestedOnly) return;
  await printStatementCounts(bench, charts);
  await printRowSecurity(opened);
  console.log(`\n${compareToTargets(lines).join('\n')}`);
}

async function printRowSecurity(opened: BenchDatabase): Promise<void> {
  const { isolated, unrestricted } = await measureRowSecurity(opened, ROW_SECURITY_PROFILE);
  const cost = 1 - isolated.perSecond / unrestricted.perSecond;
  console.log(`\nOne row by id over REST with an API key, in two statements
with row level security, each statement in a transaction that names its tenant   ${isolated.perSecond.toFixed(0)} req/s
a role that bypasses row level security, with a condition on the tenant          ${unrestricted.perSecond.toFixed(0)} req/s
${formatTarget(cost <= MAX_ROW_SECURITY_COST, `tenant isolation costs at most 25 % of the throughput (${(cost * 100).toFixed(1)} %)`)}`);
}

async function load(opened: BenchDatabase, from: number, to: number): Promise<void> {
  const seconds = await loadVendors(opened, from, to);
  console.log(`vendors ${from + 1} to ${to} loaded in ${seconds.toFixed(1)} s`);
  await copyBaselineTables(opened.url);
}

async function printStatementCounts(bench: BenchContext, charts: BenchmarkedRead): Promise<void> {
  console.log('\nSQL statements of one request');
  for (const read of [vendorList, vendorSearch, deepestGroupingTree, connectorList, charts]) {
    const counts: string[] = [];
    for (const variant of ['cached', 'uncached'] as const) {
      const target = readTarget(bench, read, variant);
      await fetchBytes(target); // This request fills the cache.
      counts.push(`${variant} ${await countStatements(() => fetchBytes(target))}`);
    }
    console.log(`${read.name.padEnd(20)}${counts.join(', ')}`);
  }
}
