import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { mergeHistory } from '../../../src/tables/merge/merge-history.js';
import { atScale } from '../../support/soak.js';

const folder = await mkdtemp(join(tmpdir(), 'taproot-history-'));
const duckdb = new DuckDb({ folder });

afterAll(async () => {
  await duckdb.close();
  await rm(folder, { recursive: true });
});

interface NewRow {
  readonly key: string;
  readonly version: number;
  /** Null for a deletion. */
  readonly content: string | null;
}

/**
 * Rows that arrive together. With `isKilled`, the worker is killed between merge and commit, and another worker merges
 * the rows again.
 */
interface Arrival {
  readonly rows: readonly NewRow[];
  readonly isKilled: boolean;
}

interface Held {
  readonly version: number;
  readonly content: string | null;
}

/**
 * The history of each record. Of consecutive versions with the same content, the model keeps only the first and the
 * last.
 */
class Model {
  readonly #held = new Map<string, Held[]>();

  add(rows: readonly NewRow[]): void {
    for (const { key, version, content } of rows) {
      const held = this.#held.get(key) ?? [];
      const same = held.find((other) => other.version === version);
      if (same?.content === null) continue;
      const next = [...held.filter((other) => other !== same), { version, content }];
      this.#held.set(
        key,
        next.sort((one, other) => one.version - other.version),
      );
    }
    for (const key of new Set(rows.map((row) => row.key))) {
      const held = this.#held.get(key) ?? [];
      const isBound = ({ content }: Held, at: number) =>
        [held[at - 1], held[at + 1]].some((next) => next === undefined || next.content !== content);
      this.#held.set(key, held.filter(isBound));
    }
  }

  get rows(): string[] {
    return [...this.#held]
      .flatMap(([key, held]) => {
        const starts = held.filter(({ content }, at) => at === 0 || held[at - 1]?.content !== content);
        return starts.map(({ version, content }, at) => ({
          content,
          text: `${key} ${content} ${version}-${starts[at + 1]?.version ?? ''}`,
        }));
      })
      .flatMap(({ content, text }) => (content === null ? [] : text))
      .sort();
  }
}

/** Uses local files, so that tests need no file store. */
class LocalTable {
  readonly #files = new Map<string, 'data' | 'deletes' | 'unchanged'>();
  #received = 0;
  #merges = 0;

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly place: string,
    private readonly maxFileBytes?: number,
  ) {}

  async receive({ rows, isKilled }: Arrival): Promise<{ readonly replaced: number }> {
    const own = join(this.place, String(++this.#merges));
    await mkdir(own, { recursive: true });
    const part = join(own, 'part.parquet');
    const values = rows.map(({ key, version, content }) => {
      const nr = ++this.#received;
      return `('${key}', make_timestamptz(${version}), ${content === null}, ${content === null ? 'null' : `'${content}'`}, ${nr}, make_timestamptz(${nr}), 'batch')`;
    });
    await this.connection.run(
      `copy (select * replace (content::varchar as content) from (values ${values.join(', ')}) t(_record_key, _record_version, _record_deleted, content, _row, _received_at, _batch)) to ${sqlText(part)} (format parquet)`,
    );
    const pathsOf = (wanted: string) => [...this.#files].flatMap(([path, kind]) => (kind === wanted ? path : []));
    const input = {
      parts: [part],
      data: pathsOf('data'),
      deletes: pathsOf('deletes'),
      unchanged: pathsOf('unchanged'),
      ...(this.maxFileBytes && { maxFileBytes: this.maxFileBytes }),
    };
    if (isKilled) await mergeHistory(this.connection, { ...input, folder: own });
    const { added, replaced } = await mergeHistory(this.connection, { ...input, folder: own });
    for (const path of replaced) this.#files.delete(path);
    for (const { kind, path, rows } of added) if (rows > 0) this.#files.set(path, kind);
    return { replaced: replaced.length };
  }

  async rows(): Promise<string[]> {
    const paths = [...this.#files].flatMap(([path, kind]) => (kind === 'data' ? sqlText(path) : []));
    if (paths.length === 0) return [];
    const sql = `select concat(_record_key, ' ', content, ' ', epoch_us(_valid_from), '-', epoch_us(_valid_to)) from read_parquet([${paths.join(', ')}])`;
    return (await this.connection.runAndReadAll(sql))
      .getRows()
      .map(([text]) => String(text))
      .sort();
  }

  count(wanted: string): number {
    return [...this.#files.values()].filter((kind) => kind === wanted).length;
  }
}

let tables = 0;

function withTable<Result>(work: (table: LocalTable) => Promise<Result>, maxFileBytes?: number): Promise<Result> {
  const place = join(folder, `table-${++tables}`);
  return duckdb
    .connect((connection) => work(new LocalTable(connection, place, maxFileBytes)))
    .finally(() => rm(place, { recursive: true, force: true }));
}

const HISTORIES = 100;

const arrival: fc.Arbitrary<Arrival> = fc.record({
  rows: fc.array(
    fc.record({
      key: fc.nat({ max: HISTORIES - 1 }).map((nr) => `k${nr}`),
      version: fc.integer({ min: 1, max: 9 }),
      content: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 4 }),
    }),
    { minLength: HISTORIES, maxLength: 2 * HISTORIES, size: 'max' },
  ),
  isKilled: fc.boolean(),
});

describe('a table with the history of its records', () => {
  it('equals the model for 100 random histories after every arrival of late versions, repeated contents and deletions', async () => {
    const histories = fc.asyncProperty(fc.array(arrival, { minLength: 4, maxLength: 6, size: 'max' }), (arrivals) =>
      withTable(async (table) => {
        const model = new Model();
        for (const given of arrivals) {
          await table.receive(given);
          model.add(given.rows);
          expect(await table.rows()).toEqual(model.rows);
        }
      }),
    );
    await fc.assert(histories, { numRuns: atScale(2, 100) });
  }, 1_800_000);

  const receive = (table: LocalTable, ...rows: (readonly [key: string, version: number, content: string | null])[]) =>
    table.receive({ rows: rows.map(([key, version, content]) => ({ key, version, content })), isKilled: false });

  it('inserts a late version between other versions, and a deletion closes the last row', async () => {
    await withTable(async (table) => {
      await receive(table, ['a', 1, 'x'], ['a', 5, 'z']);
      await receive(table, ['a', 3, 'y']);
      await receive(table, ['a', 8, null]);
      expect(await table.rows()).toEqual(['a x 1-3', 'a y 3-5', 'a z 5-8']);
      await receive(table, ['a', 7, 'late']);
      expect(await table.rows()).toEqual(['a late 7-8', 'a x 1-3', 'a y 3-5', 'a z 5-7']);
    });
  });

  it('splits changed rows into files of limited size', async () => {
    await withTable(async (table) => {
      await receive(table, ['a', 1, 'x']);
      await receive(table, ['b', 1, 'x']);
      await receive(table, ['a', 2, 'y'], ['b', 2, 'y']);
      expect(await table.rows()).toEqual(['a x 1-2', 'a y 2-', 'b x 1-2', 'b y 2-']);
      expect(table.count('data')).toBe(3);
    }, 1);
  });

  it('rewrites no data file for unchanged content, and remembers its latest version in one file', async () => {
    await withTable(async (table) => {
      await receive(table, ['a', 1, 'x'], ['b', 1, 'x']);
      expect(await receive(table, ['a', 2, 'x'], ['b', 2, 'x'])).toEqual({ replaced: 0 });
      expect(await receive(table, ['a', 4, 'x'], ['b', 4, 'x'])).toEqual({ replaced: 1 });
      expect(await table.rows()).toEqual(['a x 1-', 'b x 1-']);
      expect([table.count('data'), table.count('unchanged')]).toEqual([1, 1]);
      await receive(table, ['a', 3, 'y']);
      expect(await table.rows()).toEqual(['a x 1-3', 'a x 4-', 'a y 3-4', 'b x 1-']);
    });
  });
});
