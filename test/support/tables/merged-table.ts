import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DeletedRows, TapRunMode } from '../../../src/catalog/model/table-mode.js';
import { sqlText } from '../../../src/tables/duckdb.js';
import { mergeParts } from '../../../src/tables/merge/merge-parts.js';

export interface NewRow {
  /** Null for a record without a key. */
  readonly key: string | null;
  readonly version: number | null;
  readonly deleted: boolean;
}

export interface NewPage {
  readonly rows: readonly NewRow[];
  /** The worker dies after this number of statements of its first attempt. */
  readonly killedAfter?: number | undefined;
  /** Whether the load of this page also merges earlier, unmerged rows. */
  readonly isDue?: boolean;
}

export interface PageLoad {
  readonly mode: TapRunMode;
  readonly deletedRows: DeletedRows;
  readonly isLast: boolean;
}

/**
 * Files of a table. A commit replaces this object, so all files change at once, as in a transaction of the service.
 */
interface Files {
  readonly data: readonly string[];
  readonly deletes: readonly string[];
  readonly unmerged: readonly string[];
  /** Files of a replacement that is not complete. */
  readonly generation: readonly string[];
}

class Killed extends Error {}

/** A table in local files, so that tests need no file store. */
export class MergedTable {
  #files: Files = { data: [], deletes: [], unmerged: [], generation: [] };
  #received = 0;
  #folders = 0;
  /** Number of files that the latest merge replaced. */
  replaced = 0;

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly place: string,
    private readonly maxFileBytes?: number,
  ) {}

  /** Loads a page. Returns the `value` of each row. No two rows have the same value. */
  async load({ rows, killedAfter, isDue }: NewPage, { mode, deletedRows, isLast }: PageLoad): Promise<string[]> {
    const first = this.#received;
    const write = async (connection: Pick<DuckDBConnection, 'run' | 'runAndReadAll'>): Promise<Files> => {
      this.#received = first; // A repeated page has the same rows.
      const folder = join(this.place, String(++this.#folders));
      await mkdir(folder, { recursive: true });
      const part = await this.#write(connection, rows, join(folder, 'part.parquet'));
      const { data, deletes, unmerged, generation } = this.#files;
      if (mode === 'append') return { ...this.#files, data: [...data, ...part] };
      if (mode === 'replace' && !isLast) return { ...this.#files, generation: [...generation, ...part] };
      if (mode === 'replace') return { data: [...generation, ...part], deletes: [], unmerged: [], generation: [] };
      const parts = [...unmerged, ...part];
      if (parts.length === 0 || !(isLast || isDue)) return { ...this.#files, unmerged: parts };
      const { maxFileBytes } = this;
      const merged = await mergeParts(connection as DuckDBConnection, {
        ...{ parts, data, deletes, deletedRows, folder, ...(maxFileBytes && { maxFileBytes }) },
      });
      const added = (wanted: string) =>
        merged.added.flatMap(({ kind, path, rows }) => (kind === wanted && rows > 0 ? path : []));
      this.replaced = merged.replaced.length;
      const kept = data.filter((path) => !merged.replaced.includes(path));
      return {
        data: [...kept, ...(merged.keepsParts ? parts : []), ...added('data')],
        ...{ deletes: [...deletes, ...added('deletes')], unmerged: [], generation },
      };
    };
    if (killedAfter !== undefined)
      await write(this.#killedAfter(killedAfter)).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
    this.#files = await write(this.connection);
    return rows.map((_, at) => `v${first + at + 1}`);
  }

  /** Ends a run before its last page. */
  cancel(): void {
    this.#files = { ...this.#files, generation: [] };
  }

  /** Returns the rows that a reader sees now. The reader may open the files while the test loads other pages. */
  async values(reader: DuckDBConnection): Promise<string[]> {
    const { data } = this.#files;
    if (data.length === 0) return [];
    const result = await reader.runAndReadAll(
      `select case when _record_deleted and _record_key is not null then 'deleted' else value end
       from read_parquet([${data.map(sqlText).join(', ')}], union_by_name = true)`,
    );
    return result
      .getRows()
      .map(([value]) => String(value))
      .sort();
  }

  get fileCount(): number {
    return this.#files.data.length + this.#files.deletes.length;
  }

  async #write(
    connection: Pick<DuckDBConnection, 'run'>,
    rows: readonly NewRow[],
    path: string,
  ): Promise<readonly string[]> {
    if (rows.length === 0) return [];
    const values = rows.map(({ key, version, deleted }) => {
      const nr = ++this.#received;
      const time = version === null ? 'null' : `make_timestamptz(${version})`;
      return `(${key === null ? 'null' : sqlText(key)}, ${time}, ${deleted}, 'v${nr}', ${nr}, make_timestamptz(${nr}), 'batch')`;
    });
    await connection.run(
      `copy (select * replace (_record_key::varchar as _record_key, _record_version::timestamptz as _record_version)
       from (values ${values.join(', ')}) t(_record_key, _record_version, _record_deleted, value, _row, _received_at, _batch))
       to ${sqlText(path)} (format parquet)`,
    );
    return [path];
  }

  #killedAfter(statements: number): Pick<DuckDBConnection, 'run' | 'runAndReadAll'> {
    let left = statements;
    const count = (): void => {
      if (left-- <= 0) throw new Killed();
    };
    return {
      run: async (sql) => {
        // `drop` runs even after the kill, because the temporary tables of a real worker end with its process.
        if (!sql.startsWith('drop')) count();
        return this.connection.run(sql);
      },
      runAndReadAll: async (sql) => {
        count();
        return this.connection.runAndReadAll(sql);
      },
    };
  }
}
