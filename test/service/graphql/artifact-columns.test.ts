import { appendFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { anArtifact, runInference } from '../../support/artifacts/artifact-requests.js';
import { artifactPath, filesFolderOf } from '../../support/artifacts/stored-files.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { anInferredArtifact } from '../../support/operations/tap-calls.js';
import { auditEntriesOf, queryField } from '../../support/service/callers.js';
import { errorCodeOf } from '../../support/service/replies.js';
import { aService } from '../../support/service/service.js';
import { getTap } from '../../support/tables/publish-file.js';
import { fillTable } from '../../support/tables/table-services.js';

const service = aService();
const editor = service.as('editor');

const COLUMN =
  'name type format language precision scale decimalSeparator groupSeparator unit booleans nullable nullTokens';
const CHECK = `query ($id: Base62Id!, $columns: [ArtifactColumnInput!]) {
  checkArtifactColumns(artifactId: $id, columns: $columns) {
    rows rejectedRows isWholeFile columns { column { ${COLUMN} } failed examples { row line value reason } }
  }
}`;
const PUBLISH = `mutation ($id: Base62Id!, $columns: [ArtifactColumnInput!]) {
  publishArtifact(artifactId: $id, name: "Orders", columns: $columns) { id }
}`;

const ORDERS = 'id,day,price\n1,01/02/2024,1.5\n2,02/03/2024,2.125\n3,tbd,3\n';
const DAY = { name: 'day', type: 'Date', format: 'dd/MM/yyyy' };

const check = (id: string, columns?: object[]) => queryField(editor, CHECK, { id, columns });
const fieldsOf = async (id: string) =>
  (await queryField(editor, 'query ($id: Base62Id!) { artifact(artifactId: $id) { dataSchema } }', { id })).dataSchema
    .fields;

async function errorOf(query: string, variables: object): Promise<string | undefined> {
  const { body } = await editor.graphql(query, variables);
  const [error] = body.errors ?? [];
  return error && `${error.extensions.code}: ${error.message}`;
}

describe('checkArtifactColumns', () => {
  it('shows which rows do not fit a changed type, and stores nothing', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    const before = await queryAsOwner(service, 'select * from artifact where id = $1', [decodeId(id)]);
    expect(await check(id, [DAY])).toMatchObject({
      ...{ rows: 3, rejectedRows: 1, isWholeFile: true },
      columns: [
        {
          column: { ...DAY, nullable: false, nullTokens: null },
          failed: 1,
          examples: [{ row: 3, line: 4, value: 'tbd', reason: '"tbd" is not a date (dd/MM/yyyy)' }],
        },
      ],
    });
    expect(await queryAsOwner(service, 'select * from artifact where id = $1', [decodeId(id)])).toEqual(before);
    expect((await auditEntriesOf(service.as('owner'), id)).map(({ action }) => action).sort()).toEqual([
      'artifact.inferred',
      'artifact.uploaded',
    ]);
  });

  it('checks the file with its own types if none is given', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    expect(await check(id)).toEqual({ rows: 3, rejectedRows: 0, isWholeFile: true, columns: [] });
  });

  it('reads the first 8 MiB of a larger file', async () => {
    const line = `1,01/02/2024,${'1'.repeat(30)}\n`;
    const rows = Math.ceil((9 * 2 ** 20) / line.length);
    const id = await anInferredArtifact(editor, `id,day,price\n${line.repeat(rows)}`);
    const { isWholeFile, ...result } = await check(id, [DAY]);
    expect([isWholeFile, result.rejectedRows]).toEqual([false, 0]);
    expect(result.rows).toBe(Math.floor((8 * 2 ** 20 - 'id,day,price\n'.length) / line.length));
  });

  it.each<[string, object[], RegExp]>([
    [
      'several formats fit',
      [{ name: 'day', type: 'Date' }],
      /^WA-AF-031: Column "day" .*dd\/MM\/yyyy and MM\/dd\/yyyy/,
    ],
    ['a text has a lone surrogate', [{ ...DAY, format: '\ud800' }], /^BAD_REQUEST: columns\[0\]\.format/],
    ['a format is too long', [{ ...DAY, format: 'd'.repeat(65) }], /^BAD_REQUEST: columns\[0\]\.format .*64/],
  ])('rejects columns if %s', async (_, columns, message) => {
    expect(await errorOf(CHECK, { id: await anInferredArtifact(editor, ORDERS), columns })).toMatch(message);
  });

  it('rejects a file without inferred types, and a file whose stored bytes changed', async () => {
    const { id: untyped } = await anArtifact(editor);
    expect(await errorOf(CHECK, { id: untyped })).toMatch(/^CONFLICT: .*Run the schema inference/);
    const id = await anInferredArtifact(editor, ORDERS);
    const { tenantId } = await queryField(editor, '{ me { tenantId } }');
    await appendFile(artifactPath(filesFolderOf(service), { id, tenantId }), 'x');
    expect(await errorOf(CHECK, { id })).toMatch(/^WA-AF-023: /);
  });
});

describe('publishArtifact with columns', () => {
  it('loads the rows with the checked types, and rejects the rows that the check showed', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    const { columns, rejectedRows } = await check(id, [DAY, { name: 'price', type: 'Decimal', scale: 2 }]);
    const changed = columns.map(({ column }: { column: object }) => column);
    const tap = await queryField(editor, PUBLISH, { id, columns: changed });
    await fillTable(service, tap.id);
    const { table } = await queryField(
      editor,
      'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { schema preview rejects: preview(kind: rejects) } } }',
      { id: tap.id },
    );
    expect(table.schema.fields.slice(1)).toEqual([
      { name: 'day', type: 'Date' },
      { name: 'price', type: 'Decimal', scale: 2 },
    ]);
    expect(table.preview.map(({ day }: { day: string }) => day)).toEqual(['2024-02-01']);
    expect([rejectedRows, table.rejects.length]).toEqual([2, 2]);
    expect((await getTap(editor, tap.id)).publication).toMatchObject({ status: 'succeeded', rows: 1, rejectedRows: 2 });
  });

  it('keeps the types if the types are inferred again before the rows are loaded', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    const tap = await queryField(editor, PUBLISH, { id, columns: [DAY] });
    await runInference(editor, id);
    await fillTable(service, tap.id);
    expect((await fieldsOf(id))[1]).toMatchObject(DAY);
    expect((await getTap(editor, tap.id)).publication).toMatchObject({ rows: 2, rejectedRows: 1 });
  });

  it('stores the types in the file, and the changed columns in the audit trail', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    const inferred = await fieldsOf(id);
    await queryField(editor, PUBLISH, { id, columns: [{ ...DAY, nullTokens: [' TBD '] }] });
    const day = { ...DAY, nullable: true, nullTokens: ['tbd'] };
    expect(await fieldsOf(id)).toEqual([inferred[0], day, inferred[2]]);
    const [{ details }] = (await auditEntriesOf(service.as('owner'), id)).filter(
      ({ action }) => action === 'artifact.published',
    );
    expect(details.changedTypes).toEqual(['day: Date']);
  });

  it('over REST, accepts the same columns', async () => {
    const id = await anInferredArtifact(editor, ORDERS);
    const publish = (columns: object[]) => editor.post(`/api/artifacts/${id}/publish`, { name: 'Orders', columns });
    const reply = await publish([{ name: 'price', type: 'Decimal' }]);
    expect([reply.status, errorCodeOf(reply), reply.body.error]).toEqual([
      422,
      'WA-AF-031',
      'WA-AF-031: Column "price" requires `scale`.',
    ]);
    expect((await publish([{ name: 'id', type: 'String' }])).status).toBe(200);
    expect((await fieldsOf(id))[0]).toEqual({ name: 'id', type: 'String', nullable: false });
  });

  it.each<[string, object, RegExp]>([
    ['a date without a format', { name: 'day', type: 'Date' }, /`format`/],
    ['an unknown column', { name: 'days', type: 'String' }, /does not exist/],
  ])('rejects %s, and publishes nothing', async (_, column, message) => {
    const id = await anInferredArtifact(editor, ORDERS);
    expect(await errorOf(PUBLISH, { id, columns: [column] })).toMatch(message);
    expect(
      await queryField(editor, 'query ($id: Base62Id!) { artifact(artifactId: $id) { attributedTapId } }', { id }),
    ).toEqual({
      attributedTapId: null,
    });
  });
});
