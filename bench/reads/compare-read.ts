import type pg from 'pg';
import { createHttpServer } from '../../src/http/http-server.js';
import { type LoadFigures, type LoadProfile, type LoadTarget, measureLoad, ratioOf } from '../support/measure-load.js';
import { serveApp } from '../support/serve-app.js';
import { bareKoaApp, oneStatementApp } from './baseline-servers.js';
import type { BenchService } from './bench-service.js';
import type { BenchmarkedRead } from './benchmarked-reads.js';
import type { ReadVariant, ReportLine } from './read-report.js';
import { requireSameResponse } from './require-same-response.js';

const VARIANT_LABELS: Record<ReadVariant, string> = {
  cached: 'REST',
  compressed: 'REST, compressed',
  uncached: 'REST without cache',
};

export interface BenchContext {
  readonly origins: { readonly cached: string; readonly uncached: string };
  readonly pool: pg.Pool;
  readonly pace: LoadProfile;
  readonly key: string;
}

export async function startBenchService(product: BenchService): Promise<BenchContext['origins']> {
  return {
    cached: await serveApp(product.cached, createHttpServer(product.cached)),
    uncached: await serveApp(product.uncached, createHttpServer(product.uncached)),
  };
}

export async function compareRead(
  bench: BenchContext,
  read: BenchmarkedRead,
  variants: readonly ReadVariant[],
  data: string,
): Promise<ReportLine[]> {
  const statement = { name: read.name, url: (await serveApp(oneStatementApp(bench.pool, read.baseline))) + read.path };
  const expected = (await fetchBytes(statement)).toString();
  const targets: Record<string, LoadTarget> = { statement };
  let size = 0;
  for (const variant of variants) {
    const target = readTarget(bench, read, variant);
    const bytes = await fetchBytes(target);
    requireSameResponse(read.name, bytes.toString(), expected);
    size = bytes.length;
    if (variant === 'cached') targets.koa = { name: read.name, url: (await serveApp(bareKoaApp(bytes))) + read.path };
    targets[variant] = target;
  }
  const { koa, statement: sql, ...own } = await measureLoad(targets, bench.pace);
  const ratio = (one: LoadFigures, to: LoadFigures | undefined) => to && ratioOf(one, to);
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_000)} kB`;
  return [
    ...Object.entries(own).map(([variant, one]) => ({
      ...one,
      name: `${read.name}, ${data}: ${VARIANT_LABELS[variant as ReadVariant]}`,
      variant: variant as ReadVariant,
      toKoa: ratio(one, koa),
      toStatement: ratio(one, sql),
    })),
    ...(koa ? [{ ...koa, name: `  bare Koa, the same bytes (${kilobytes(size)})` }] : []),
    { ...(sql as LoadFigures), name: `  bare Koa and one SQL statement (${kilobytes(expected.length)})` },
  ];
}

export function readTarget(
  { origins, key }: BenchContext,
  { name, path, needsCaller }: BenchmarkedRead,
  variant: ReadVariant,
): LoadTarget {
  if (variant === 'compressed') return { name, url: origins.cached + path, headers: { 'accept-encoding': 'br' } };
  return { name, url: origins[variant] + path, ...(needsCaller && { headers: { authorization: `Bearer ${key}` } }) };
}

/** Throws an error for an error status, and for GraphQL errors. */
export async function fetchBytes({ url, body, headers }: LoadTarget): Promise<Buffer> {
  const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(url, body === undefined ? { headers: { ...headers } } : post);
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${(await response.text()).slice(0, 500)}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (body !== undefined && JSON.parse(bytes.toString()).errors) throw new Error(`${url} returned errors`);
  return bytes;
}
