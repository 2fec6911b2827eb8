import { type LoadFigures, measureLoad, ratioOf } from '../support/measure-load.js';
import { startServerProcess } from '../support/server-process.js';
import { type BenchContext, fetchBytes } from './compare-read.js';
import { NESTED_QUERY, POSTGRAPHILE_QUERY } from './nested-query.js';
import type { ReportLine } from './read-report.js';
import { requireSameResponse } from './require-same-response.js';

export async function comparePostgraphile(
  bench: BenchContext,
  databaseUrl: string,
  data: string,
): Promise<ReportLine[]> {
  const other = await startServerProcess('bench/reads/postgraphile-server.js', {
    pattern: /(http:\S+)/,
    // Development mode is slower.
    env: { DATABASE_URL: databaseUrl, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  });
  try {
    const headers = { authorization: `Bearer ${bench.key}` };
    const name = `nested query, ${data}`;
    const own = { name, url: `${bench.origins.uncached}/graphql`, body: bodyOf(NESTED_QUERY), headers };
    const cached = { ...own, url: `${bench.origins.cached}/graphql` };
    const theirs = { name, url: `${other.origin}/graphql`, body: bodyOf(POSTGRAPHILE_QUERY) };
    requireSameResponse(name, await itemsOf(own), await itemsOf(theirs));
    const targets = { uncached: own, cached, postgraphile: theirs };
    const { postgraphile, ...product } = await measureLoad(targets, bench.pace);
    const ratio = (one: LoadFigures): number => ratioOf(one, postgraphile);
    const { uncached } = product;
    return [
      {
        ...{ ...uncached, name: `${name}: GraphQL without cache` },
        ...{ variant: 'graphql', toPostgraphile: ratio(uncached) },
      },
      { ...product.cached, name: `${name}: GraphQL, cached`, toPostgraphile: ratio(product.cached) },
      { ...postgraphile, name: '  PostGraphile, the same rows', threadMicros: undefined },
    ];
  } finally {
    await other.stop();
  }
}

function bodyOf(query: string): string {
  return JSON.stringify({ query });
}

interface Reply {
  data: { items?: unknown; platformVendors?: { items: unknown } };
}

async function itemsOf(target: Parameters<typeof fetchBytes>[0]): Promise<string> {
  const { data } = JSON.parse((await fetchBytes(target)).toString()) as Reply;
  return JSON.stringify({ items: data.items ?? data.platformVendors?.items });
}
