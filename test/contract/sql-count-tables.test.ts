import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureStatements, captureTableReads, isPeriodic } from '../support/database/captured-statements.js';
import { cloneTap } from '../support/database/clone-taps.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aToken } from '../support/ingest/ingest-tokens.js';
import {
  anInboundTap,
  anIngestService,
  pushRecords,
  type SenderKind,
  signedHeaders,
} from '../support/ingest/pushed-taps.js';
import { aTable } from '../support/operations/table-calls.js';
import { anInferredArtifact, aPublishedTap } from '../support/operations/tap-calls.js';
import { aContract, anSpcResult, aQualityResult } from '../support/quality/contract-fixtures.js';
import { queryField } from '../support/service/callers.js';
import type { Client } from '../support/service/service.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';

const WORKSPACES = { one: 1, hundred: 100 };

const TAPS = `{ tenantConnectorTaps(limit: 100) { total items {
  name tap { name } instance { name } publication { status } ingestTokens { prefix }
  table { name rows tap { name publication { status } } files { key rows } }
} } }`;

const RESULTS = `{ catalogTables(limit: 100) { total items { name files { key rows } contracts { scope table { name }
  latestSpcResult { series { latestValue } contract { version } } latestQualityResult { checks { status } contract { version } }
} } } }`;

const TABLES = `{ catalogTables(limit: 100) { total items {
  name rows files { key rows } tap { name table { name } publication { status } ingestTokens { prefix tenantConnectorTapId } }
} } }`;

const service = await anIngestService();
const client = (slug: string): Client => service.as('owner', { slug });

beforeAll(async () => {
  for (const [slug, count] of Object.entries(WORKSPACES)) {
    await createTestWorkspace(service, slug);
    const id = await aTable(service, client(slug));
    const { tap } = await queryField(client(slug), `{ catalogTable(id: "${id}") { tap { id } } }`);
    for (let tokens = 0; tokens < 2; tokens++) await aToken(client(slug), tap.id);
    for (const scope of ['tap', 'data'] as const) {
      const contract = await aContract(service, id, scope);
      for (let runs = 0; runs < 2; runs++) {
        await anSpcResult(service, contract, { TABLE_ROW_COUNT: runs });
        await aQualityResult(service, contract);
      }
    }
    await cloneTap(service, tap.id, count - 1);
  }
});

describe('statements per request', () => {
  it.each([
    ['taps', TAPS],
    ['tables', TABLES],
    ['contracts and their results', RESULTS],
  ])('GraphQL: the same number for 100 deeply nested %s as for 1', async (_, query) => {
    const { total, items } = await queryField(client('hundred'), query);
    expect([total, items.length]).toEqual([100, 100]);
    expect(items.map((item: object) => JSON.stringify(item)).every((text: string) => /"key".*"rows"/.test(text))).toBe(
      true,
    );
    await client('hundred').graphql(query); // The second request compiles the query.
    const one = await captureTableReads(() => client('one').graphql(query));
    expect(await captureTableReads(() => client('hundred').graphql(query))).toEqual(one);
    expect(one.length).toBeLessThanOrEqual(8);
  });

  it.each([
    ['spc', 'table_spc_result'],
    ['quality', 'table_quality_result'],
  ])('REST table-%s-results: one for 200 results and for 2', async (kind, table) => {
    const path = `/api/catalog/table-${kind}-results`;
    const counts = await Promise.all(
      Object.keys(WORKSPACES).map(async (slug) => (await client(slug).request(path)).body.data.results.length),
    );
    expect(counts).toEqual([2, 200]);
    const one = await captureTableReads(() => client('one').request(path));
    expect(await captureTableReads(() => client('hundred').request(path))).toEqual(one);
    expect(one.filter((name) => name === table).length).toBe(1);
    expect(one.length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['Spc', 'INSUFFICIENT_HISTORY, IN_BOUNDS, OUT_OF_CONTROL, WARNING'],
    ['Quality', 'ERROR, FAIL, PASS, SKIPPED, WARN'],
  ])('GraphQL table%sResults with arguments: the same number for 200 results as for 2', async (kind, statuses) => {
    const list = `table${kind}Results`;
    const args = `limit: 250, filter: { overallStatus: [${statuses}] }, orderBy: CAPTURED_AT_DESC`;
    const part = `{ ${list}(${args}) { results { resultId } total resultsVersion } }`;
    const reads: string[][] = [];
    for (const [slug, tables] of Object.entries(WORKSPACES)) {
      const { resultsVersion } = await queryField(client(slug), `{ ${list} { resultsVersion } }`);
      const found = await queryField(client(slug), part);
      expect([found.results.length, found.total, found.resultsVersion]).toEqual([
        2 * tables,
        2 * tables,
        resultsVersion,
      ]);
      reads.push(await captureTableReads(() => client(slug).graphql(part)));
    }
    const table = `table_${kind.toLowerCase()}_result`;
    expect(reads[0]).toEqual([`count ${table}`, table, table, 'user']);
    expect(reads[1]).toEqual(reads[0]);
    const uncounted = await captureTableReads(() => client('one').graphql(part.replace('total resultsVersion', '')));
    expect(uncounted).toEqual([table, 'user']);
  });

  it.each(['spc', 'quality'])('REST table-%s-results: one for a 304 response, which reads only ids', async (kind) => {
    const path = `/api/catalog/table-${kind}-results`;
    for (const slug of Object.keys(WORKSPACES)) {
      const etag = (await client(slug).request(path)).headers.get('etag') as string;
      let status: number | undefined;
      const statements = await captureStatements(async () => {
        ({ status } = await client(slug).request(path, { headers: { 'if-none-match': etag } }));
      });
      const ofResults = statements.filter((text) => text.includes(`table_${kind}_result`));
      expect([status, ofResults.map((text) => text.split(' from ', 1)[0])]).toEqual([
        304,
        ["select string_agg(row.id::text, ',' order by wanted.place)"],
      ]);
    }
  });

  it.each(['/api/tenant-connector-taps', '/api/catalog/tables'])(
    'REST %s: the same number for 100 as for 1',
    async (path) => {
      const one = await captureTableReads(() => client('one').request(`${path}?limit=250`));
      expect(await captureTableReads(() => client('hundred').request(`${path}?limit=250`))).toEqual(one);
      expect(one.length).toBeLessThanOrEqual(4);
    },
  );

  it('GraphQL checkArtifactColumns: one for 100 columns and for 1', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `c${at}`);
    const id = await anInferredArtifact(client('one'), `${names}\n${names.map(() => 1)}\n`);
    const check = `query ($columns: [ArtifactColumnInput!]) {
      checkArtifactColumns(artifactId: "${id}", columns: $columns) { rejectedRows columns { failed } }
    }`;
    for (const count of [1, 1, 100]) {
      const columns = names.slice(0, count).map((name) => ({ name, type: 'String' }));
      const reads = await captureTableReads(() => queryField(client('one'), check, { columns }));
      expect(reads).toEqual(['artifact', 'user']);
    }
  });

  /** Statements of the ingest endpoint that identify the tap and its sender. */
  const LOOKUP = ['from ingest_token', 'from "tenant_connector_tap"'];
  const SENDER = [
    ...['from "tenant_connector_instance"', 'from "inbound_auth_strategy"'],
    ...['from "credential_metadata"', 'from "sealed_credential"'],
  ];
  const TRANSACTION = [
    'begin; select set_config',
    'from storage_usage',
    'insert into ingest_delivery',
    'taproot_jobs',
    'insert into storage_usage',
    'commit',
  ];

  it.each<[SenderKind, string[]]>([
    ['published', [...LOOKUP, ...TRANSACTION]],
    ['open', [...LOOKUP, ...SENDER, ...TRANSACTION]],
    ['signed', [...LOOKUP, ...SENDER, ...TRANSACTION]],
  ])('ingest endpoint: the same number for 1,000 records to a tap that is %s as for 1', async (kind, expected) => {
    const owner = service.as('owner');
    const token =
      kind === 'published'
        ? (await aToken(owner, await aPublishedTap(owner))).token
        : (await anInboundTap(owner, kind)).token;
    const send = (body: string) =>
      pushRecords(service, token, body, kind === 'signed' ? signedHeaders(body, randomUUID()) : {});
    expect((await send('{"id":0}')).body.data.accepted).toBe(1);
    await waitForRecordedUse(token);
    for (const records of [1, 1_000]) {
      const body = JSON.stringify(Array.from({ length: records }, (_, id) => ({ id })));
      const statements = (await captureStatements(() => send(body))).filter((text) => !isPeriodic(text));
      expect(statements.map((text) => expected.find((part) => text.includes(part)))).toEqual(expected);
    }
  });
});

/** The service records the use of a token with a delay. */
async function waitForRecordedUse(token: string): Promise<void> {
  const used = 'select from ingest_token where prefix = $1 and last_used_at is not null';
  await waitUntil(async () => (await queryAsOwner(service, used, [token.slice(0, 12)])).length > 0);
}
