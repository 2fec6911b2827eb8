import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { DeletedRows, TapRunMode } from '../../../src/catalog/model/table-mode.js';
import { DuckDb } from '../../../src/tables/duckdb.js';
import { atScale } from '../../support/soak.js';
import { MergedTable, type NewPage, type NewRow, type PageLoad } from '../../support/tables/merged-table.js';
import { MergedTableModel } from '../../support/tables/merged-table-model.js';

const folder = await mkdtemp(join(tmpdir(), 'taproot-merge-'));
const duckdb = new DuckDb({ folder, threads: 1 });

afterAll(async () => {
  await duckdb.close();
  await rm(folder, { recursive: true });
});

interface Run {
  readonly deletedRows: DeletedRows;
  readonly pages: readonly NewPage[];
  readonly isCancelled: boolean;
}

const newRow: fc.Arbitrary<NewRow> = fc.record({
  key: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 8 }),
  version: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 8 }),
  deleted: fc.boolean(),
});
const newPage: fc.Arbitrary<NewPage> = fc.record({
  rows: fc.array(newRow, { maxLength: 4 }),
  killedAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 3 }),
  isDue: fc.boolean(),
});
const run: fc.Arbitrary<Run> = fc.record({
  deletedRows: fc.constantFrom('remove', 'mark'),
  pages: fc.array(newPage, { minLength: 1, maxLength: 4 }),
  isCancelled: fc.boolean(),
});
const runs = fc.array(run, { minLength: 1, maxLength: 4 });

let tables = 0;

function withTable<Result>(
  work: (table: MergedTable, reader: DuckDBConnection) => Promise<Result>,
  maxFileBytes?: number,
): Promise<Result> {
  const place = join(folder, `table-${++tables}`);
  return duckdb
    .connect((connection) => duckdb.connect((reader) => work(new MergedTable(connection, place, maxFileBytes), reader)))
    .finally(() => rm(place, { recursive: true, force: true }));
}

/** Compares a table with the model while each page is loaded, and after each page that makes rows visible. */
async function compare(mode: TapRunMode, given: readonly Run[]): Promise<void> {
  await withTable(async (table, reader) => {
    const model = new MergedTableModel();
    let invisible: [NewRow, string][] = [];
    for (const { deletedRows, pages, isCancelled } of given) {
      for (const [nth, page] of pages.entries()) {
        const isLast = !isCancelled && nth === pages.length - 1;
        const load: PageLoad = { mode, deletedRows, isLast };
        const [texts, seen] = await Promise.all([table.load(page, load), table.values(reader)]);
        expect(seen).toEqual(model.values);
        invisible.push(...page.rows.map((row, at): [NewRow, string] => [row, texts[at] as string]));
        if (!(mode === 'append' || isLast || (mode === 'upsert' && page.isDue))) continue;
        model.add(load, invisible);
        invisible = [];
        expect(await table.values(reader)).toEqual(model.values);
      }
      if (!isCancelled || mode !== 'replace') continue;
      table.cancel();
      invisible = [];
    }
  });
}

const row = (key: string, version: number, deleted = false): NewRow => ({ key, version, deleted });

describe('a table after random runs with late records, deletions, lost workers and cancellations', () => {
  it.each([
    ['upsert', 2],
    ['replace', 1],
    ['append', 1],
  ] as const)(
    'equals the model, and readers see whole versions: %s',
    async (mode, share) => {
      const history = fc.asyncProperty(runs, (given) => compare(mode, given));
      await fc.assert(history, { numRuns: atScale(5, 2_500) * share });
    },
    7_200_000,
  );
});

describe('a table that holds each record once', () => {
  it.each(['remove', 'mark'] as const)(
    'rewrites only files with a replaced row, deletedRows: %s',
    async (deletedRows) => {
      await withTable(async (table, reader) => {
        const replacedBy = async (...rows: NewRow[]): Promise<number> => {
          await table.load({ rows }, { mode: 'upsert', deletedRows, isLast: true });
          return table.replaced;
        };
        await replacedBy(row('a', 1), row('b', 1));
        await replacedBy(row('c', 1));
        expect(await replacedBy(row('d', 1))).toBe(0);
        expect(await replacedBy(row('c', 0))).toBe(0);
        expect(await replacedBy(row('c', 2))).toBe(1);
        expect(await replacedBy(row('a', 2, true), row('d', 2))).toBe(2);
        expect(await table.values(reader)).toEqual(
          deletedRows === 'remove' ? ['v2', 'v6', 'v8'] : ['deleted', 'v2', 'v6', 'v8'],
        );
      });
    },
  );

  it.each(['remove', 'mark'] as const)(
    'does not change with a repeated deletion, deletedRows: %s',
    async (deletedRows) => {
      await withTable(async (table) => {
        const load = (...rows: NewRow[]) => table.load({ rows }, { mode: 'upsert', deletedRows, isLast: true });
        await load(row('a', 1), row('b', 1));
        await load(row('a', 2, true), row('c', 2, true));
        const before = table.fileCount;
        await load(row('a', 2, true), row('c', 2, true));
        expect([table.replaced, table.fileCount]).toEqual([0, before]);
      });
    },
  );

  it('remembers a deletion that marks the row after an earlier deletion removed the row', async () => {
    await withTable(async (table, reader) => {
      const load = (rows: NewRow[], deletedRows: DeletedRows) =>
        table.load({ rows }, { mode: 'upsert', deletedRows, isLast: true });
      await load([row('a', 1, true)], 'remove');
      await load([row('a', 3, true)], 'mark');
      await load([row('a', 2)], 'mark');
      expect(await table.values(reader)).toEqual(['deleted']);
    });
  });

  it('splits the new rows into files of limited size', async () => {
    await withTable(async (table, reader) => {
      const load = (version: number, isLast: boolean, ...keys: string[]) =>
        table.load({ rows: keys.map((key) => row(key, version)) }, { mode: 'upsert', deletedRows: 'remove', isLast });
      await load(1, true, 'a');
      await load(2, false, 'a', 'b');
      await load(2, false, 'c', 'd');
      await load(1, true, 'a', 'e');
      expect([await table.values(reader), table.fileCount]).toEqual([['v2', 'v3', 'v4', 'v5', 'v7'], 3]);
    }, 1);
  });
});
