import type pg from 'pg';
import { createHttpServer } from '../src/http-server.js';
import { type Figures, measure, type Pace, type Target } from './measure.js';
import type { Product } from './product.js';
import type { Read } from './reads.js';
import type { Line, Way } from './report.js';
import { requireSameAnswer } from './same-answer.js';
import { serve } from './serving.js';
import { bareKoa, oneStatement } from './yardsticks.js';

const WAYS: Record<Way, string> = {
  cached: 'REST',
  compressed: 'REST, compressed',
  uncached: 'REST without cache',
  graphql: 'GraphQL',
};

/** Product and yardsticks, set up once for all reads. */
export interface Bench {
  readonly product: Product;
  readonly origins: { readonly cached: string; readonly uncached: string };
  readonly pool: pg.Pool;
  readonly pace: Pace;
  /** Of a workspace. */
  readonly key: string;
}

export async function serveProduct(product: Product): Promise<Bench['origins']> {
  return {
    cached: await serve(product.cached, createHttpServer(product.cached)),
    uncached: await serve(product.uncached, createHttpServer(product.uncached)),
  };
}

/** Measures one read in the given ways and by the yardsticks that belong to them. */
export async function compare(bench: Bench, read: Read, ways: readonly Way[], data: string): Promise<Line[]> {
  const statement = { name: read.name, url: (await serve(oneStatement(bench.pool, read.question))) + read.path };
  const expected = (await replyTo(statement)).toString();
  const targets: Record<string, Target> = { statement };
  for (const way of ways) {
    const target = targetOf(bench, read, way);
    const bytes = await replyTo(target);
    if (way !== 'graphql') requireSameAnswer(read.name, bytes.toString(), expected);
    if (way === 'cached') targets.koa = { name: read.name, url: (await serve(bareKoa(bytes))) + read.path };
    targets[way] = target;
  }
  const { koa, statement: sql, ...own } = await measure(targets, bench.pace);
  const ratio = (one: Figures, to: Figures | undefined) => to && one.perSecond / to.perSecond;
  const kilobytes = Math.round(expected.length / 1_000);
  return [
    ...Object.entries(own).map(([way, one]) => ({
      ...one,
      name: `${read.name}, ${data}: ${WAYS[way as Way]}`,
      way: way as Way,
      toKoa: ratio(one, koa),
      toStatement: ratio(one, sql),
    })),
    ...(koa ? [{ ...koa, name: `  bare Koa, the same bytes (${kilobytes} kB)` }] : []),
    { ...(sql as Figures), name: '  bare Koa and one SQL statement' },
  ];
}

export function targetOf({ origins, product, key }: Bench, read: Read, way: Way): Target {
  const { name, path, operation, variables } = read;
  const caller = read.needsCaller && { headers: { authorization: `Bearer ${key}` } };
  if (way === 'compressed') return { name, url: origins.cached + path, headers: { 'accept-encoding': 'br' } };
  if (way !== 'graphql') return { name, url: origins[way] + path, ...caller };
  return { name, url: `${origins.uncached}/graphql`, question: product.question(operation, variables), ...caller };
}

/** The bytes of a reply that succeeded: over GraphQL, one without errors. */
export async function replyTo({ url, question: body, headers }: Target): Promise<Buffer> {
  const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(url, body === undefined ? { headers: { ...headers } } : post);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (body !== undefined && JSON.parse(bytes.toString()).errors) throw new Error(`${url} answers with errors`);
  return bytes;
}
