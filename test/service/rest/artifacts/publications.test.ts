import { appendFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../../src/kernel/ids.js';
import { failOrphanedPublication } from '../../../../src/tables/publications/fail-orphaned-publication.js';
import { beginPublication } from '../../../../src/tables/publications/publication-state.js';
import { PEOPLE_CSV } from '../../../support/artifacts/artifact-requests.js';
import { csvWithTail } from '../../../support/artifacts/csv-with-tail.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import {
  failingToStore,
  type PublicationRun,
  runPublicationOf,
  temporaryFilesOf,
  uploadedFileOf,
} from '../../../support/operations/publication-runs.js';
import { aService } from '../../../support/service/service.js';
import { loadRows } from '../../../support/tables/loaded-tables.js';
import { getTap, publishFile } from '../../../support/tables/publish-file.js';
import { fillTable, publicationOf, withTableServices } from '../../../support/tables/table-services.js';

const service = aService();
const editor = service.as('editor');

/** Number of attempts of a publication job. */
const LAST_ATTEMPT = 21;

const run = (tapId: string, options?: PublicationRun) => runPublicationOf(service, tapId, options);
const leftovers = () => temporaryFilesOf(service);

async function tableOf(tapId: string) {
  const query = `query ($id: Base62Id!) { tenantConnectorTap(id: $id) {
    table { rows rejectedRows fileCount schema preview(limit: 100) rejects: preview(kind: rejects) }
  } }`;
  return (await editor.graphql(query, { id: tapId })).body.data.tenantConnectorTap.table;
}

describe('a published file', () => {
  it('waits, then has all rows in the table, each with its origin', async () => {
    const { id, publication } = await publishFile(editor, PEOPLE_CSV);
    expect([publication.status, publication.bytesRead, await tableOf(id)]).toEqual(['queued', 0, null]);
    await fillTable(service, id);
    const tap = await getTap(editor, id);
    expect(tap.promotedAt).toEqual(expect.any(String));
    expect(tap.publication).toMatchObject({
      ...{ status: 'succeeded', rows: 3, rejectedRows: 0, bytesRead: PEOPLE_CSV.length, bytesTotal: PEOPLE_CSV.length },
      ...{ startedAt: expect.any(String), endedAt: expect.any(String) },
    });
    const { preview, ...table } = await tableOf(id);
    expect(table).toMatchObject({ rows: 3, rejectedRows: 0, fileCount: 1 });
    const origin = { _batch: decodeId(publication.id), _received_at: tap.publication.startedAt };
    expect(preview.map((row: object) => ({ ...row }))).toEqual([
      { ...origin, _row: 1, id: 1, name: 'Ada', born: '1815-12-10' },
      { ...origin, _row: 2, id: 2, name: 'Grace', born: '1906-12-09' },
      { ...origin, _row: 3, id: 3, name: 'Alan', born: '1912-06-23' },
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it('stores rows that do not match the schema as rejects, with the reason', async () => {
    const { id } = await publishFile(editor, csvWithTail('x,Grace\n10002,a,b\n10003,Alan\n'));
    await fillTable(service, id);
    const { rows, rejects } = await tableOf(id);
    expect([rows, (await getTap(editor, id)).publication]).toMatchObject([10_001, { rows: 10_001, rejectedRows: 2 }]);
    expect(rejects).toMatchObject([
      { _row: 10_001, reason: 'row 10001: column "id": "x" is not an integer', record: 'x,Grace' },
      { _row: 10_002, reason: 'row 10002: the row has 3 values for 2 columns (line 10003)', record: '10002,a,b' },
    ]);
  });

  it.each([
    ['25 % have the same number of values', [2, 3, 4], '', { rows: 40_000, rejectedRows: 0 }],
    ['50 % have too many values', [8], '', { rows: 10_000, rejectedRows: 10_000 }],
    ['fewer than 25 % have the same number of values', [2, 3, 4], 'x,x,x,x,x\n', 'at most 10000 of 40001 rows'],
    ['more than 50 % have too many values', [8], 'x,x,x,x,x,x,x,x\n', '10001 of 20001 rows have more values'],
  ] as const)('must be a readable table as a whole: of its rows, %s', async (_, widths, last, expected) => {
    const rowOf = (width: number) => `${'x,'.repeat(width - 1)}x\n`;
    const sample = `${'0'.repeat(30)},x,x,x,x,x\n`.repeat(10_000);
    const rest = widths.map((width) => rowOf(width).repeat(10_000)).join('');
    const { id } = await publishFile(editor, `a,b,c,d,e,f\n${sample}${rest}${last}`);
    await fillTable(service, id);
    const { publication } = await getTap(editor, id);
    if (typeof expected !== 'string') expect(publication).toMatchObject({ status: 'succeeded', ...expected });
    else {
      expect(publication).toMatchObject({ status: 'failed', error: expect.stringContaining('WA-AF-011: ') });
      expect(publication.error).toContain(expected);
      expect(await leftovers()).toEqual([]);
    }
  });

  it('states the unit of percentages, over GraphQL and REST', async () => {
    const { id } = await publishFile(editor, 'id,share,price\n1,12.5 %,EUR 5.00\n2,0.125 %,EUR 7.50\n3,7 %,EUR 1.25\n');
    await fillTable(service, id);
    const { schema, preview } = await tableOf(id);
    const fields = [
      { name: 'id', type: 'Integer' },
      { name: 'share', type: 'Decimal', scale: 3, unit: '%' },
      { name: 'price', type: 'Decimal', scale: 2, unit: 'EUR' },
    ];
    expect([schema, preview.map(({ share }: { share: string }) => share)]).toEqual([
      { fields },
      ['12.500', '0.125', '7.000'],
    ]);
    const [table] = await queryAsOwner(service, 'select id from catalog_table where tap_id = $1', [decodeId(id)]);
    const { body } = await editor.request(`/api/catalog/tables/${encodeId(table?.id)}`);
    expect(body.data.schema).toEqual({ fields });
  });

  it('is a table without rows if none matches, with the reasons', async () => {
    const { id } = await publishFile(editor, 'id,name\n1,Ada\n');
    await queryAsOwner(
      service,
      `update artifact set data_schema = replace(data_schema::text, '"String"', '"UUID"')::json where attributed_tap_id = $1`,
      [decodeId(id)],
    );
    await fillTable(service, id);
    const { publication, promotedAt } = await getTap(editor, id);
    expect(publication).toMatchObject({ status: 'succeeded', rows: 0, rejectedRows: 1 });
    expect(promotedAt).toEqual(expect.any(String));
    const { rows, preview, rejects } = await tableOf(id);
    expect([rows, preview, rejects]).toEqual([0, [], [expect.objectContaining({ record: '1,Ada' })]]);
    const [table] = await queryAsOwner(service, 'select id from catalog_table where tap_id = $1', [decodeId(id)]);
    const reply = await editor.request(`/api/catalog/tables/${encodeId(table?.id)}/rows`);
    expect([reply.status, reply.body.data]).toEqual([200, []]);
  });

  it('has the columns of the latest inference, even after its publication', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    await queryAsOwner(
      service,
      `update artifact set data_schema = replace(data_schema::text, '"Integer"', '"String"')::json where attributed_tap_id = $1`,
      [decodeId(id)],
    );
    await fillTable(service, id);
    const { schema, preview } = await tableOf(id);
    expect([schema.fields[0], preview[0].id]).toEqual([{ name: 'id', type: 'String' }, '1']);
  });

  it('keeps the columns of rows from another origin', async () => {
    const { id, publication } = await publishFile(editor, PEOPLE_CSV);
    const [row] = await queryAsOwner(service, 'select id, schema from catalog_table where tap_id = $1', [decodeId(id)]);
    const { tenantId } = await publicationOf(service, id);
    const schema = { fields: [...(row?.schema.fields ?? []), { name: 'extra', type: 'String' }] };
    const table = { tenantId, tapId: id, tableId: encodeId(row?.id), schema };
    const pushed = [['7', 'Eve', null, 'x']];
    await withTableServices(service, (services) => loadRows(services, table, pushed, { schema, schemaVersion: 2 }));
    await fillTable(service, id);
    expect((await getTap(editor, id)).publication).toMatchObject({
      ...{ id: publication.id, status: 'failed', rows: 0 },
      error: expect.stringMatching(/^WA-AF-021: The columns of the file differ from the columns of the table/),
    });
    expect(await tableOf(id)).toMatchObject({ rows: 1, schema });
  });

  it('is loaded once, even if the job runs several times', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    await Promise.all([1, 2, 3].map(() => run(id)));
    await run(id);
    expect(await tableOf(id)).toMatchObject({ rows: 3, fileCount: 1 });
    const data = await publicationOf(service, id);
    expect(await withTableServices(service, (services) => beginPublication(services, data))).toBeUndefined();
    expect((await getTap(editor, id)).publication.status).toBe('succeeded');
  });
});

describe('a failed publication', () => {
  it.each<[what: string, corrupt: (path: string) => Promise<void>]>([
    ['the bytes are missing', (path) => rm(path)],
    ['the bytes differ', (path) => writeFile(path, PEOPLE_CSV.replace('Ada', 'Eve'))],
    ['the file is shorter', (path) => writeFile(path, PEOPLE_CSV.slice(0, -1))],
    ['the file is longer', (path) => appendFile(path, '4,Edsger,1930-05-11\n')],
  ])('loads nothing, and contains the reason: %s', async (_, corrupt) => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    await corrupt(await uploadedFileOf(service, id));
    await run(id);
    const { publication, promotedAt } = await getTap(editor, id);
    expect([publication.status, publication.error, promotedAt]).toEqual([
      'failed',
      'WA-AF-023: The stored bytes are missing, or differ from the uploaded bytes. Upload the file again.',
      undefined,
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it('is retried after a temporary error, and then loads each row once', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    await expect(run(id, { change: failingToStore('ENOSPC') })).rejects.toThrow('no');
    expect((await getTap(editor, id)).publication.status).toBe('queued');
    await run(id, { attempt: 2 });
    expect(await tableOf(id)).toMatchObject({ rows: 3, fileCount: 1 });
  });

  it('fails permanently after its last attempt', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    const failing = run(id, { attempt: LAST_ATTEMPT, change: failingToStore('ENOSPC') });
    await expect(failing).rejects.toThrow('no');
    const { status, error } = (await getTap(editor, id)).publication;
    expect([status, error]).toEqual(['failed', expect.stringMatching(/^WA-AF-099: /)]);
  });

  it('continues in another process if its process stops', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    const stopping = AbortSignal.abort(new Error('the process stops'));
    await expect(run(id, { signal: stopping })).rejects.toThrow('the process stops');
    expect([(await getTap(editor, id)).publication.status, await leftovers()]).toEqual(['running', []]);
    await run(id);
    expect(await tableOf(id)).toMatchObject({ rows: 3, fileCount: 1 });
  });

  it('fails if its last process stops', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    const stopping = { attempt: LAST_ATTEMPT, signal: AbortSignal.abort(new Error('the process stops')) };
    await expect(run(id, stopping)).rejects.toThrow('the process stops');
    expect((await getTap(editor, id)).publication.status).toBe('failed');
  });

  it('fails when its job is lost, which a check detects some hours later', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    const data = await publicationOf(service, id);
    const checkPublication = () => withTableServices(service, (services) => failOrphanedPublication(services, data));
    const jobs = (change: string) =>
      queryAsOwner(
        service,
        `${change} where name = $1 and data ->> 'publicationId' = $2 returning extract(epoch from start_after - now())::int as due`,
        [change.includes('failed') ? 'publish-artifact' : 'publication-watch', data.publicationId],
      );
    const [first] = await jobs('delete from taproot_jobs.job');
    expect(first?.due).toBeGreaterThan(3_600);
    await checkPublication();
    expect(await jobs('delete from taproot_jobs.job')).toHaveLength(1);
    expect((await getTap(editor, id)).publication.status).toBe('queued');

    await queryAsOwner(service, "update publication set status = 'running' where id = $1", [
      decodeId(data.publicationId),
    ]);
    expect(await jobs(`update taproot_jobs.job set state = 'failed'`)).toHaveLength(1);
    await checkPublication();
    const { status, error } = (await getTap(editor, id)).publication;
    expect([status, error]).toEqual(['failed', expect.stringMatching(/^WA-AF-099: The publication did not finish/)]);
    expect(await jobs('delete from taproot_jobs.job')).toHaveLength(0);
  });

  it('waits while another process writes the table', async () => {
    const { id } = await publishFile(editor, PEOPLE_CSV);
    await queryAsOwner(
      service,
      `update catalog_table set writer = gen_random_uuid(), writer_until = now() + interval '1 minute' where tap_id = $1`,
      [decodeId(id)],
    );
    const { publicationId } = await publicationOf(service, id);
    await queryAsOwner(
      service,
      `update taproot_jobs.job set state = 'active' where name = 'publish-artifact' and singleton_key = $1`,
      [publicationId],
    );
    await run(id);
    expect((await getTap(editor, id)).publication.status).toBe('queued');
    const jobs = await queryAsOwner(
      service,
      `select 1 from taproot_jobs.job where name = 'publish-artifact' and data ->> 'publicationId' = $1 and start_after > now()`,
      [publicationId],
    );
    expect(jobs).toHaveLength(1);
  });
});
