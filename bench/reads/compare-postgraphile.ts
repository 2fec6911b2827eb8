import { measureLoad } from '../support/measure-load.js';
import { startServerProcess } from '../support/server-process.js';
import { type BenchContext, fetchBytes } from './compare-read.js';
import { NESTED_QUERY, POSTGRAPHILE_QUERY } from './nested-query.js';
import type { ReportLine } from './read-report.js';
import { requireSameResponse } from './require-same-response.js';

/** Measures one nested query over `/graphql` and over PostGraphile, on the same database and in the same rounds. */
export async function comparePostgraphile(
  bench: BenchContext,
  databaseUrl: string,
  data: string,
): Promise<ReportLine[]> {
  const other = await startServerProcess('bench/reads/postgraphile-server.js', {
    pattern: /(http:\S+)/,
    // development mode is slower
    env: { DATABASE_URL: databaseUrl, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  });
  try {
    const headers = { authorization: `Bearer ${bench.key}` };
    const name = `nested query, ${data}`;
    const own = { name, url: `${bench.origins.uncached}/graphql`, body: bodyOf(NESTED_QUERY), headers };
    const theirs = { name, url: `${other.origin}/graphql`, body: bodyOf(POSTGRAPHILE_QUERY) };
    requireSameResponse(name, await itemsOf(own), await itemsOf(theirs));
    const { product, postgraphile } = await measureLoad({ product: own, postgraphile: theirs }, bench.pace);
    const toPostgraphile = product.perSecond / postgraphile.perSecond;
    return [
      { ...product, name: `${name}: GraphQL`, variant: 'graphql', toPostgraphile },
      { ...postgraphile, name: '  PostGraphile, the same rows' },
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
