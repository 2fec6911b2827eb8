import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { DeletedRows } from '../../../src/catalog/model/table-mode.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { mergeParts } from '../../../src/tables/merge/merge-parts.js';
import { atScale } from '../../support/soak.js';

const folder = await mkdtemp(join(tmpdir(), 'taproot-merge-'));
const duckdb = new DuckDb({ folder });

afterAll(async () => {
  await duckdb.close();
  await rm(folder, { recursive: true });
});

interface NewRow {
  /** Null for a record without a key. */
  readonly key: string | null;
  readonly version: number | null;
  readonly deleted: boolean;
}

/** Rows that arrive together. */
interface Arrival {
  /** Each list becomes a file. */
  readonly files: readonly (readonly NewRow[])[];
  readonly deletedRows: DeletedRows;
}

interface Held {
  readonly version: number;
  readonly deleted: boolean;
  /** Undefined without a row. */
  readonly value: string | undefined;
}

/** The expected content of a table after the arrivals. */
class Model {
  readonly #held = new Map<string, Held>();
  readonly #keyless: string[] = [];

  add({ key, version, deleted }: NewRow, text: string, deletedRows: DeletedRows): void {
    const value = !deleted ? text : deletedRows === 'mark' ? 'deleted' : undefined;
    const row = { version: version ?? Number.NEGATIVE_INFINITY, deleted, value };
    if (key === null) this.#keyless.push(text);
    else if (isNewer(row, this.#held.get(key))) this.#held.set(key, row);
  }

  get values(): string[] {
    return [...[...this.#held.values()].flatMap(({ value }) => value ?? []), ...this.#keyless].sort();
  }
}

function isNewer(row: Held, held: Held | undefined): boolean {
  if (!held) return true;
  if (row.version !== held.version) return row.version > held.version;
  return row.deleted || !held.deleted;
}

const newRow: fc.Arbitrary<NewRow> = fc.record({
  key: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { freq: 8 }),
  version: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 8 }),
  deleted: fc.boolean(),
});
const arrival: fc.Arbitrary<Arrival> = fc.record({
  files: fc.array(fc.array(newRow, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
  deletedRows: fc.constantFrom('remove', 'mark'),
});
const arrivals = fc.array(arrival, { minLength: 1, maxLength: 5 });

/** A table whose files are local, and the rows that it received. */
class LocalTable {
  readonly #data = new Set<string>();
  readonly #deletes: string[] = [];
  #received = 0;
  #merges = 0;

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly place: string,
  ) {}

  async receive({ files, deletedRows }: Arrival, model: Model): Promise<{ readonly replaced: number }> {
    const own = join(this.place, String(++this.#merges));
    await mkdir(own, { recursive: true });
    const parts: string[] = [];
    for (const rows of files) {
      const path = join(own, `part-${parts.length}.parquet`);
      const values = rows.map((row) => {
        const nr = ++this.#received;
        model.add(row, `v${nr}`, deletedRows);
        const { key, version, deleted } = row;
        return `(${key === null ? 'null' : sqlText(key)}, ${version === null ? 'null' : `make_timestamptz(${version})`}, ${deleted}, 'v${nr}', ${nr}, make_timestamptz(${nr}), 'batch')`;
      });
      await this.connection.run(
        `copy (select * replace (_record_key::varchar as _record_key, _record_version::timestamptz as _record_version) from (values ${values.join(', ')}) t(_record_key, _record_version, _record_deleted, value, _row, _received_at, _batch)) to ${sqlText(path)} (format parquet)`,
      );
      parts.push(path);
    }
    const { added, replaced, keepsParts } = await mergeParts(this.connection, {
      ...{ parts, data: [...this.#data], deletes: this.#deletes, deletedRows, folder: own },
    });
    for (const path of replaced) this.#data.delete(path);
    if (keepsParts) for (const path of parts) this.#data.add(path);
    for (const { kind, path } of added)
      if (kind === 'data') this.#data.add(path);
      else this.#deletes.push(path);
    return { replaced: replaced.length };
  }

  async values(): Promise<string[]> {
    const list = [...this.#data].map(sqlText).join(', ');
    if (list === '') return [];
    const sql = `select case when _record_deleted and _record_key is not null then 'deleted' else value end from read_parquet([${list}], union_by_name = true)`;
    return (await this.connection.runAndReadAll(sql))
      .getRows()
      .map(([value]) => String(value))
      .sort();
  }
}

let tables = 0;

function withTable<Result>(work: (table: LocalTable, model: Model) => Promise<Result>): Promise<Result> {
  const place = join(folder, `table-${++tables}`);
  return duckdb
    .connect((connection) => work(new LocalTable(connection, place), new Model()))
    .finally(() => rm(place, { recursive: true, force: true }));
}

const row = (key: string, version: number, deleted = false): NewRow => ({ key, version, deleted });

describe('a table that holds each record once', () => {
  it('equals the model after every arrival, in any order of versions, deletions and treatments of them', async () => {
    const history = fc.asyncProperty(arrivals, (given) =>
      withTable(async (table, model) => {
        for (const arrival of given) {
          await table.receive(arrival, model);
          expect(await table.values()).toEqual(model.values);
        }
      }),
    );
    await fc.assert(history, { numRuns: atScale(50, 5_000) });
  }, 1_800_000);

  it.each(['remove', 'mark'] as const)(
    'rewrites only files with a replaced row, deletedRows: %s',
    async (deletedRows) => {
      await withTable(async (table, model) => {
        const receive = (...files: NewRow[][]) => table.receive({ files, deletedRows }, model);
        await receive([row('a', 1), row('b', 1)], [row('c', 1)]);
        expect(await receive([row('d', 1)])).toEqual({ replaced: 0 });
        expect(await receive([row('c', 0)])).toEqual({ replaced: 0 });
        expect(await receive([row('c', 2)])).toEqual({ replaced: 1 });
        expect(await receive([row('a', 2, true), row('d', 2)])).toEqual({ replaced: 2 });
        expect(await table.values()).toEqual(model.values);
      });
    },
  );

  it('remembers a deletion that marks the row after an earlier deletion removed the row', async () => {
    await withTable(async (table, model) => {
      await table.receive({ files: [[row('a', 1, true)]], deletedRows: 'remove' }, model);
      await table.receive({ files: [[row('a', 3, true)]], deletedRows: 'mark' }, model);
      await table.receive({ files: [[row('a', 2)]], deletedRows: 'mark' }, model);
      expect(await table.values()).toEqual(['deleted']);
    });
  });
});
