import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStoreError } from '../../../src/kernel/files/file-store.js';
import { sqlText } from '../../../src/tables/duckdb.js';
import { ObjectConverter } from '../../../src/tables/records/convert-object.js';
import { stageObjects } from '../../../src/tables/records/stage-objects.js';
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import { writeStagingFile } from '../../../src/tables/staging/write-parquet.js';
import { type TableField, withRecordColumns } from '../../../src/tables/table-schema.js';
import { aStagingFolder, ORIGIN, stringFields } from '../../support/tables/staging-folder.js';

const { folder, duckdb } = await aStagingFolder();

describe('staged rows', () => {
  it.each(['line\nbreak', '', '\x01', 'a\x1fb', 'plain'])('keep the key %j of a record', async (key) => {
    const fields: TableField[] = [{ name: 'id', type: 'Integer' }];
    const staged = await StagingArea.open(join(folder, randomUUID()), withRecordColumns({ fields }));
    const identity = { key, version: ORIGIN.receivedAt, isDeleted: false };
    const batch = { records: [{ id: 1 }], identities: [identity], receivedAt: new Date(ORIGIN.receivedAt) };
    await stageObjects(batch, staged, new ObjectConverter({ fields }));
    const { data } = await staged.end();
    const path = join(staged.folder, 'file.parquet');
    for (const part of data)
      await duckdb.connect((connection) => writeStagingFile(connection, part, staged.schema.fields, path));
    expect(await duckdb.rows(`select id, _record_key as key from read_parquet(${sqlText(path)})`)).toEqual([
      { id: '1', key },
    ]);
    await staged.close();
  });

  it('are rejected with the column, the type and the start of the value', async () => {
    const fields: TableField[] = [
      { name: 'id', type: 'Integer' },
      { name: 'price', type: 'Decimal', scale: 2 },
    ];
    const staged = await StagingArea.open(join(folder, randomUUID()), { fields });
    staged.add({ ...ORIGIN, row: 1 }, ['1', `1.${'2'.repeat(100)}`]);
    expect([staged.rows, staged.rejected]).toEqual([0, 1]);
    const [part] = (await staged.end()).rejects;
    const path = join(staged.folder, 'rejects.parquet');
    const texts: TableField[] = ['reason', 'record'].map((name) => ({ name, type: 'String' }));
    await duckdb.connect((connection) => writeStagingFile(connection, part as NonNullable<typeof part>, texts, path));
    const reason = `column "price": "1.${'2'.repeat(62)}" does not fit Decimal (38 digits, 2 decimal places)`;
    expect(await duckdb.rows(`select reason, record, _row from read_parquet(${sqlText(path)})`)).toEqual([
      { reason, record: `{"id":"1","price":"1.${'2'.repeat(100)}"}`, _row: '1' },
    ]);
    await staged.close();
  });

  it('keep their origin, even if they share parts of it', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const origins = [
      [one, 1, '2026-02-03T04:05:06.789Z'],
      [one, 2, '2026-02-03T04:05:06.789Z'],
      [one, 3, '2026-02-03T04:05:07.000Z'],
      [other, 1, '2026-02-03T04:05:06.789Z'],
      [other, 2, '2026-02-03T04:05:08.000Z'],
      [one, 4, '2026-02-03T04:05:06.789Z'],
    ] as const;
    const fields = stringFields(1);
    const staged = await StagingArea.open(join(folder, randomUUID()), { fields });
    for (const [batch, row, receivedAt] of origins) staged.add({ batch, row, receivedAt }, [null]);
    const { data } = await staged.end();
    const path = join(staged.folder, 'file.parquet');
    for (const part of data) await duckdb.connect((connection) => writeStagingFile(connection, part, fields, path));
    const time = `strftime(make_timestamp(epoch_us(_received_at)), '%Y-%m-%dT%H:%M:%S.%gZ') as time`;
    const found = await duckdb.rows(
      `select _batch as batch, _row::int as row, ${time} from read_parquet(${sqlText(path)})`,
    );
    expect(found).toEqual(origins.map(([batch, row, time]) => ({ batch, row, time })));
    await staged.close();
  });

  it('report when the first and the last of them was received', async () => {
    const staged = await StagingArea.open(join(folder, randomUUID()), { fields: stringFields(1) });
    for (const [nth, second] of [7, 6, 9, 8].entries())
      staged.add({ ...ORIGIN, row: nth + 1, receivedAt: `2026-02-03T04:05:0${second}.789Z` }, ['a']);
    const { data } = await staged.end();
    const times = data.map(({ firstReceivedAt, lastReceivedAt }) => [firstReceivedAt, lastReceivedAt]);
    expect(times).toEqual([[Date.parse('2026-02-03T04:05:06.789Z'), Date.parse('2026-02-03T04:05:09.789Z')]]);
    await staged.close();
  });

  it('are removed when the area is closed', async () => {
    const staged = await StagingArea.open(join(folder, 'closed'), { fields: stringFields(1) });
    staged.add({ ...ORIGIN, row: 1 }, ['a']);
    await staged.close();
    expect(await readdir(folder)).not.toContain('closed');
  });

  it('throw FileStoreError if their files cannot be written', async () => {
    await expect(StagingArea.open(join(folder, 'no', 'where'), { fields: [] })).rejects.toThrow(FileStoreError);
    const staged = await StagingArea.open(join(folder, 'gone'), { fields: stringFields(1) });
    await rm(staged.folder, { recursive: true });
    staged.add({ ...ORIGIN, row: 1 }, ['a']);
    await expect(staged.end()).rejects.toThrow(FileStoreError);
    await staged.close();
  });

  it.each([['a', 'A'], ['_row'], ['_BATCH']])('require unique column names: %s', async (...names) => {
    const fields = names.map((name): TableField => ({ name, type: 'String' }));
    await expect(StagingArea.open(join(folder, randomUUID()), { fields })).rejects.toThrow(TypeError);
  });
});
