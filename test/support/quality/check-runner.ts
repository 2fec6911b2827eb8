import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderStore } from '../../../src/kernel/files/folder-store.js';
import { inspectRows } from '../../../src/quality/checks/inspect-rows.js';
import type {
  ContractExpectations,
  InspectedRows,
  Inspection,
  PreviousRun,
} from '../../../src/quality/checks/inspection.js';
import type { ContractRule } from '../../../src/quality/contracts/table-contract.js';
import { DuckDb, sqlName, sqlText } from '../../../src/tables/duckdb.js';
import { LocalFileCache, type StoredFile } from '../../../src/tables/local-file-cache.js';
import { duckDbTypeOf } from '../../../src/tables/staging/column-type.js';
import type { TableField } from '../../../src/tables/table-schema.js';

export const NOW = new Date('2026-03-01T12:00:00Z');
export const BATCH = '00000000-0000-4000-8000-000000000001';

export interface InspectedTable {
  readonly fields: readonly TableField[];
  /** Rows of each file. */
  readonly files: readonly (readonly (readonly (string | null)[])[])[];
}

/** Runs checks on small tables in Parquet files and records the DuckDB statements. */
export class CheckRunner {
  readonly statements: string[] = [];
  #files = 0;

  private constructor(
    readonly folder: string,
    readonly store: FolderStore,
    readonly duckdb: DuckDb,
    readonly localFiles: LocalFileCache,
  ) {}

  static async open(): Promise<CheckRunner> {
    const folder = await mkdtemp(join(tmpdir(), 'taproot-inspect-'));
    const store = await FolderStore.open(join(folder, 'files'));
    const duckdb = new DuckDb({ folder, memory: '256MB', threads: 2 });
    return new CheckRunner(folder, store, duckdb, new LocalFileCache(store, folder));
  }

  async close(): Promise<void> {
    await this.localFiles.close();
    await this.duckdb.close();
    await rm(this.folder, { recursive: true });
  }

  /** `_row` starts at 1. */
  async keep(fields: readonly TableField[], rows: readonly (readonly (string | null)[])[]): Promise<StoredFile> {
    const name = `${++this.#files}.parquet`;
    const path = join(this.folder, name);
    const cells = fields.map(
      (field, nth) => `cast(cells[${nth + 1}] as ${duckDbTypeOf(field)}) as ${sqlName(field.name)}`,
    );
    const texts = rows.map(
      (row) => `[${row.map((cell) => (cell === null ? 'null' : sqlText(cell))).join(', ')}]::VARCHAR[]`,
    );
    const system = `${sqlText(BATCH)} as _batch, row as _row, cast('2026-03-01T11:00:00Z' as TIMESTAMPTZ) as _received_at`;
    const list = texts.map((text, nth) => `(${text}, ${nth + 1}::BIGINT)`).join(', ');
    await this.duckdb.rows(
      `copy (select ${[...cells, system].join(', ')} from (values ${list}) rows(cells, row)) to ${sqlText(path)} (format parquet)`,
    );
    const key = `tables/${name}`;
    await this.store.put(key, createReadStream(path));
    return { key, bytes: (await stat(path)).size };
  }

  async rowsOf({ fields, files }: InspectedTable): Promise<InspectedRows> {
    const kept = await Promise.all(files.map((rows) => this.keep(fields, rows)));
    const rows = files.flat().length;
    return { files: kept, schema: { fields }, rows, rejectedRows: 0, lastReceivedAt: new Date('2026-03-01T11:00:00Z') };
  }

  async inspect(
    rows: InspectedRows,
    expected: Partial<ContractExpectations>,
    previous?: PreviousRun,
    signal = new AbortController().signal,
  ): Promise<Inspection> {
    this.statements.length = 0;
    const contract = { ...anExpectation(rows), ...expected };
    const services = { duckdb: this.#overheard(), localFiles: this.localFiles };
    return inspectRows(services, { rows, expected: contract, previous, now: NOW, signal });
  }

  async check(
    rows: InspectedRows,
    rule: ContractRule,
    expected: Partial<ContractExpectations> = {},
    previous?: PreviousRun,
  ) {
    const { checks } = await this.inspect(rows, { ...expected, rules: [rule] }, previous);
    const [{ spec, status, comparator, observed, threshold, evidence, key }] = checks as [(typeof checks)[0]];
    return { gate: spec.gate, status, comparator, observed, threshold, key, ...evidence };
  }

  #overheard(): DuckDb {
    const { duckdb, statements } = this;
    return Object.assign(Object.create(duckdb) as DuckDb, {
      connect: (work: Parameters<DuckDb['connect']>[0], signal?: AbortSignal) =>
        duckdb.connect(
          (connection) =>
            work(
              new Proxy(connection, {
                get(target, name) {
                  const value = Reflect.get(target, name);
                  if (typeof value !== 'function') return value;
                  return (sql: string, ...rest: unknown[]) => {
                    statements.push(sql);
                    return value.call(target, sql, ...rest);
                  };
                },
              }),
            ),
          signal,
        ),
    });
  }
}

/** Returns expectations that require only the existing columns. */
function anExpectation({ schema }: InspectedRows): ContractExpectations {
  return { schema, allowsNewColumns: true, primaryKey: [], sensitiveColumns: [], series: [], rules: [] };
}
