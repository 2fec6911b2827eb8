import { describe, expect, it } from 'vitest';
import { decodeId, encodeId, newId } from '../../../../src/kernel/ids.js';
import { tableFileKey } from '../../../../src/tables/table-file-key.js';
import { PEOPLE_CSV } from '../../../support/artifacts/artifact-requests.js';
import { filesBelow, filesFolderOf } from '../../../support/artifacts/stored-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { anInboundTap, anIngestService, pushRecords, storedRecords } from '../../../support/ingest/pushed-taps.js';
import { flushTap, TAPS, type Tap, tapsOf } from '../../../support/operations/tap-calls.js';
import { queryField } from '../../../support/service/callers.js';
import type { Client } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { publishFile } from '../../../support/tables/publish-file.js';
import { fillTable } from '../../../support/tables/table-services.js';

const service = await anIngestService();
const editor = service.as('editor');
const viewer = service.as('viewer');

const TABLES = '/api/catalog/tables';

async function aFilledTable(content: string, client: Client = editor): Promise<{ id: string; tapId: string }> {
  const { id: tapId } = await publishFile(client, content);
  await fillTable(service, tapId);
  return { id: await tableOf(tapId, client), tapId };
}

async function tableOf(tapId: string, client: Client = editor): Promise<string> {
  const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id } } }';
  return (await queryField(client, query, { id: tapId })).table.id;
}

const get = async (path: string, client: Client = viewer) => (await client.request(TABLES + path)).body.data;

const namesInCatalog = async (): Promise<string[]> =>
  (await get('?limit=250')).items.map(({ name }: { name: string }) => name);

describe('GET /api/catalog/tables', () => {
  it('requires authentication', async () => {
    expect((await service.request(TABLES)).status).toBe(401);
  });

  it('hides other workspaces', async () => {
    const slug = await createTestWorkspace(service, 'elsewhere');
    const { id } = await aFilledTable(PEOPLE_CSV, service.as('editor', { slug }));
    for (const path of ['', '/files', '/rows']) {
      const [foreign, missing] = await Promise.all(
        [id, newId()].map((one) => viewer.request(`${TABLES}/${one}${path}`)),
      );
      expect([foreign?.status, foreign?.text]).toEqual([404, missing?.text]);
    }
    expect((await get('?limit=250')).items.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  it('lists tables with rows until their tap is deleted', async () => {
    const tap = await publishFile(editor, PEOPLE_CSV, 'Waiting');
    expect(await namesInCatalog()).not.toContain('waiting');
    await fillTable(service, tap.id);
    expect(await namesInCatalog()).toContain('waiting');
    const [row] = await queryAsOwner(service, 'select id from catalog_table where tap_id = $1', [decodeId(tap.id)]);
    const id = encodeId(row?.id);
    expect((await viewer.request(`${TABLES}/${id}`)).status).toBe(200);
    await editor.delete(`/api/tenant-connector-taps/${tap.id}`);
    expect(await namesInCatalog()).not.toContain('waiting');
    const statuses = ['', '/files', '/rows'].map(
      async (path) => (await viewer.request(`${TABLES}/${id}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });
});

describe('catalogTables', () => {
  it('filters by a part of the name', async () => {
    for (const name of ['Invoices 2024', 'Paid invoices', 'Refunds'])
      await fillTable(service, (await publishFile(editor, PEOPLE_CSV, name)).id);
    const query = 'query ($name: String!) { catalogTables(filter: { name: $name }) { total items { name } } }';
    const { total, items } = await queryField(viewer, query, { name: 'INVOICES' });
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['invoices_2024', 'paid_invoices']);
    expect([total, (await queryField(viewer, query, { name: '%' })).total]).toEqual([2, 0]);
  });
});

describe('GET /api/catalog/tables/{id}', () => {
  it('returns the columns, totals and files of a table', async () => {
    const { id, tapId } = await aFilledTable(PEOPLE_CSV);
    const { files, ...table } = await get(`/${id}`);
    expect(table).toMatchObject({
      ...{ id, name: 'people', tap: { id: tapId, name: 'People' }, rows: 3, rejectedRows: 0, fileCount: 1 },
      schema: {
        fields: [
          { name: 'id', type: 'Integer' },
          { name: 'name', type: 'String' },
          { name: 'born', type: 'Date' },
        ],
      },
      ...{ schemaVersion: 1, bytes: files[0].bytes, freshnessSeconds: expect.any(Number) },
    });
    expect(files).toMatchObject([{ kind: 'data', rows: 3, schemaVersion: 1 }]);
    const paths = (await filesBelow(filesFolderOf(service))).map((path) =>
      path.slice(filesFolderOf(service).length + 1),
    );
    expect(paths).toContain(files[0].key);
    const page = (await viewer.request(`${TABLES}/${id}/files?limit=1`)).body;
    expect([page.data.items, page.meta.totalCount]).toEqual([files, 1]);
    const link = `${service.url}${TABLES}/${id}/files?limit=1&offset=0`;
    expect(page.links).toEqual({ first: link, last: link, next: null, prev: null });
  });
});

describe('GET /api/catalog/tables/{id}/rows', () => {
  it('returns 20 rows by default and at most 100', async () => {
    const { id } = await aFilledTable(`id,name\n${Array.from({ length: 150 }, (_, at) => `${at},Ada\n`).join('')}`);
    const counts = ['', '?limit=3', '?limit=100'].map(async (query) => (await get(`/${id}/rows${query}`)).length);
    expect(await Promise.all(counts)).toEqual([20, 3, 100]);
    const refused = ['0', '101', 'x'].map(
      async (limit) => (await viewer.request(`${TABLES}/${id}/rows?limit=${limit}`)).status,
    );
    expect(await Promise.all(refused)).toEqual([400, 400, 400]);
  });

  it('pages through the rows of several files', async () => {
    const { tapId, token } = await anInboundTap(service.as('owner'), 'open');
    for (const ids of [[1, 2, 3], [4], [5, 6]]) {
      for (const id of ids) await pushRecords(service, token, { id });
      await flushTap(service, tapId);
    }
    const id = await tableOf(tapId);
    const idsAt = async (offset: number) =>
      (await get(`/${id}/rows?limit=2&offset=${offset}`)).map((row: { id: unknown }) => Number(row.id));
    const pages = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(idsAt));
    expect(pages).toEqual([[5, 6], [6, 4], [4, 1], [1, 2], [2, 3], [3], []]);
    const rejected = ['-1', '10001'].map(
      async (offset) => (await viewer.request(`${TABLES}/${id}/rows?offset=${offset}`)).status,
    );
    expect(await Promise.all(rejected)).toEqual([400, 400]);
  });

  it('returns exact values of every type', async () => {
    const columns: [title: string, text: string, value: unknown][] = [
      ['small', '9007199254740991', 9007199254740991],
      ['large', '9007199254740993', '9007199254740993'],
      ['price', '12345678901234567890.10', '12345678901234567890.10'],
      ['ratio', '1.5e-7', 1.5e-7],
      ['active', 'true', true],
      ['day', '2024-02-29', '2024-02-29'],
      ['at', '2024-02-29 23:59:59.5', '2024-02-29T23:59:59.500'],
      ['moment', '2024-02-29T23:59:59.123456+02:00', '2024-02-29T21:59:59.123456Z'],
      ['clock', '23:59:59', '23:59:59'],
      ['key', '0D7C2A51-4C7E-4F3B-8A19-5E2D6B9F1C34', '0d7c2a51-4c7e-4f3b-8a19-5e2d6b9f1c34'],
      ['extra', '"{""a"": [1, null, 9007199254740993]}"', { a: [1, null, '9007199254740993'] }],
      ['word', '"x\ny ""z"""', 'x\ny "z"'],
      ['nothing', '', null],
    ];
    const line = columns.map(([, text]) => text).join(',');
    const other = columns
      .map(([title, text]) => (title === 'active' ? 'false' : title === 'nothing' ? '1' : text))
      .join(',');
    const { id } = await aFilledTable(`${columns.map(([title]) => title).join(',')}\n${line}\n${other}\n`);
    const [row] = await get(`/${id}/rows?limit=1`);
    for (const [title, , value] of columns) expect([title, row[title]]).toEqual([title, value]);
  });

  it.each([
    ['quotes and SQL', `x"); drop table "y`],
    ['a quote', `it's`],
    ['the name of an object member', '__proto__'],
    ['another object member', 'constructor'],
    ['the name of a system column', '_batch'],
    ['a semicolon and a comment', 'a;--'],
  ])('accepts any column name: %s', async (_, name) => {
    const { id } = await aFilledTable(`id,"${name.replaceAll('"', '""')}"\n1,Ada\n2,Grace\n`);
    const { schema } = await get(`/${id}`);
    const [row] = await get(`/${id}/rows`);
    const named = schema.fields[1].name;
    expect([named.startsWith(name), Object.entries(row).at(-1)]).toEqual([true, [named, 'Ada']]);
  });

  it('returns fewer rows if they are large', async () => {
    const content = `id,text\n${Array.from({ length: 20 }, (_, at) => `${at},${'x'.repeat(500_000)}\n`).join('')}`;
    const { id } = await aFilledTable(content);
    const reply = await viewer.request(`${TABLES}/${id}/rows`);
    expect(reply.body.data.length).toBe(8);
    expect(reply.text.length).toBeLessThan(4 * 1024 * 1024 + 1_000);
  });

  it('returns 503 with Retry-After if files are removed while they are read', async () => {
    const { id } = await aFilledTable(PEOPLE_CSV);
    const [file] = await queryAsOwner(service, 'select * from table_file where table_id = $1', [decodeId(id)]);
    const ids = { tenantId: encodeId(file?.tenant_id), tableId: id, kind: 'data', id: newId() } as const;
    expect(tableFileKey({ ...ids, id: encodeId(file?.id) })).toBe((await get(`/${id}`)).files[0].key);
    await queryAsOwner(service, 'update table_file set id = $1 where id = $2', [decodeId(ids.id), file?.id]);
    const reply = await viewer.request(`${TABLES}/${id}/rows`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    await queryAsOwner(service, 'update table_file set id = $1 where id = $2', [file?.id, decodeId(ids.id)]);
    expect(await get(`/${id}/rows`)).toHaveLength(3);
  });

  it('previews at most 20 tables per request', async () => {
    const { tapId } = await aFilledTable(PEOPLE_CSV);
    await queryAsOwner(
      service,
      `with template as (select * from tenant_connector_tap where id = $1), tap as (
         insert into tenant_connector_tap (id, tenant_id, created_at, created_by, updated_at, updated_by, name, enabled, table_name, promoted_at)
         select gen_random_uuid(), tenant_id, now(), created_by, now(), created_by, 'many', true, 'many_' || n, now()
         from template, generate_series(1, 21) n returning *)
       insert into catalog_table (id, tenant_id, created_at, created_by, updated_at, updated_by, tap_id, schema, schema_version, rows, bytes, file_count, rejected_rows)
       select gen_random_uuid(), tenant_id, now(), created_by, now(), created_by, id, '{"fields":[]}', 1, 0, 0, 0, 0 from tap`,
      [decodeId(tapId)],
    );
    const fetchTables = async (limit: number) =>
      (await viewer.graphql(`{ catalogTables(limit: ${limit}) { items { preview(limit: 1) } } }`)).body;
    expect((await fetchTables(20)).data.catalogTables.items).toHaveLength(20);
    expect((await fetchTables(21)).errors[0].extensions.code).toBe('BAD_REQUEST');
  });
});

describe('the table of a tap that is deleted and added again', () => {
  it('keeps its rows, and the tap rejects ingest tokens from before the deletion', async () => {
    const { tapId, instance, token, tokenId } = await anInboundTap(service.as('owner'), 'open');
    await pushRecords(service, token, { id: 1 });
    await flushTap(service, tapId);
    const query = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id rows } } }';
    const table = async () => (await queryField(editor, query, { id: tapId })).table;
    const before = await table();
    const [{ tap }] = (await tapsOf(editor, instance.id)) as [Tap];
    await editor.delete(`${TAPS}/${tapId}`);
    expect((await pushRecords(service, token, { id: 2 })).status).toBe(401);
    expect((await editor.post(TAPS, { instanceId: instance.id, tapId: tap.id })).body.data.id).toBe(tapId);
    expect(await table()).toEqual(before);
    expect((await pushRecords(service, token, { id: 3 })).status).toBe(401);
    const { items } = (await editor.request(`/api/ingest-tokens?tenantConnectorTapId=${tapId}`)).body.data;
    expect(items).toMatchObject([{ id: tokenId, revokedAt: expect.any(String) }]);
    const minted = await editor.post('/api/ingest-tokens', { tenantConnectorTapId: tapId });
    expect((await pushRecords(service, minted.body.data.token, { id: 4 })).status).toBe(202);
    await flushTap(service, tapId);
    expect(await table()).toEqual({ ...before, rows: 2 });
    expect((await storedRecords(service, tapId)).map(({ id }) => Number(id))).toEqual([1, 4]);
  });
});
