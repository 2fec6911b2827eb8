import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { type ProposedColumn, SYSTEM_COLUMNS, type TableField, type TableSchema } from '../table-schema.js';
import { acceptanceCheckOf, describeRejection } from './column-type.js';
import { type RowOrigin, type StagingFile, StagingFileWriter } from './staging-file.js';

/** Plain data, so that threads can exchange it. */
export interface StagedFiles {
  readonly folder: string;
  readonly data: readonly StagingFile[];
  readonly rejects: readonly StagingFile[];
  readonly held: readonly StagingFile[];
  readonly rows: number;
  readonly rejected: number;
  readonly heldRecords: number;
  readonly proposedColumns: readonly ProposedColumn[];
}

/** Bounds the memory of a staging area. */
const MAX_PROPOSED_COLUMNS = 1_000;

/** Collects the rows of a table in files on disk. Memory use is constant if the caller awaits `drained` regularly. */
export class StagingArea {
  readonly #data: StagingFileWriter;
  readonly #rejects: StagingFileWriter;
  readonly #held: StagingFileWriter;
  /** Maps the name and type of a column, as JSON, to the number of held records that need the column. */
  readonly #proposed = new Map<string, number>();
  readonly #fits: readonly ReturnType<typeof acceptanceCheckOf>[];

  private constructor(
    readonly folder: string,
    readonly schema: TableSchema,
  ) {
    this.#fits = schema.fields.map(acceptanceCheckOf);
    const texts = this.#fits.flatMap((fits, nth) => (fits ? [] : [nth]));
    this.#data = new StagingFileWriter(join(folder, 'data'), texts);
    this.#rejects = new StagingFileWriter(join(folder, 'rejects'), [0, 1]);
    this.#held = new StagingFileWriter(join(folder, 'held'), [0, 1, 2]);
  }

  /** Creates the folder, which must not exist. Throws `FileStoreError`. */
  static async open(folder: string, schema: TableSchema): Promise<StagingArea> {
    requireUniqueNames(schema);
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      throw toFileStoreError(error);
    });
    return new StagingArea(folder, schema);
  }

  get rows(): number {
    return this.#data.rows;
  }

  get rejected(): number {
    return this.#rejects.rows;
  }

  /** Approximate size of the staged rows. */
  get bytes(): number {
    return this.#data.bytes + this.#rejects.bytes + this.#held.bytes;
  }

  /**
   * Adds a row. `values` contains a value for each field of the schema, in order, in the format of `ValueReader`, or
   * null for a missing value. If a value does not fit its column exactly, rejects the row. The reject is a JSON object
   * of the values.
   */
  add(origin: RowOrigin, values: readonly (string | null)[]): void {
    const { fields } = this.schema;
    if (values.length !== fields.length) throw new TypeError('the row must have a value for each field');
    const misfit = this.#findMisfit(values);
    if (misfit < 0) this.#data.add(origin, values);
    else
      this.reject(
        origin,
        describeRejection(fields[misfit] as TableField, values[misfit] as string),
        recordOf(fields, values),
      );
  }

  /** Like `add`, for values that fit their columns exactly and need no escape. */
  addPlain(origin: RowOrigin, values: readonly (string | null)[]): void {
    this.#data.addPlain(origin, values);
  }

  /** Like `addPlain`, for UTF-8 text in which `SEPARATOR` separates the values. */
  addLine(origin: RowOrigin, line: Buffer, length: number): void {
    this.#data.addLine(origin, line, length, this.schema.fields.length);
  }

  /** Returns whether the column of field `nth` can represent a value exactly. */
  fits(nth: number, value: string): boolean {
    return this.#fits[nth]?.(value) !== false;
  }

  #findMisfit(values: readonly (string | null)[]): number {
    for (let nth = 0; nth < values.length; nth++) {
      const value = values[nth] as string | null;
      if (value !== null && this.#fits[nth]?.(value) === false) return nth;
    }
    return -1;
  }

  /** Rejects a row. If a value does not fit its column, the mismatch replaces `reason`. */
  rejectValues(origin: RowOrigin, values: readonly (string | null)[], reason: string, record: string): void {
    const misfit = this.#findMisfit(values);
    const { fields } = this.schema;
    if (misfit < 0) this.reject(origin, reason, record);
    else this.reject(origin, describeRejection(fields[misfit] as TableField, values[misfit] as string), record);
  }

  /** `record` is the text of the row. */
  reject(origin: RowOrigin, reason: string, record: string): void {
    this.#rejects.add(origin, [reason, record]);
  }

  /**
   * Holds a record. `values` are the values of `HELD_FIELDS`. `needs` contains the names and types of the missing
   * columns. Counts the held records per missing column, for at most `MAX_PROPOSED_COLUMNS` columns.
   */
  hold(
    origin: RowOrigin,
    values: readonly (string | null)[],
    needs: readonly (readonly [name: string, type: string])[],
  ): void {
    this.#held.add(origin, values);
    for (const column of needs) {
      const key = JSON.stringify(column);
      const records = this.#proposed.get(key) ?? 0;
      if (records > 0 || this.#proposed.size < MAX_PROPOSED_COLUMNS) this.#proposed.set(key, records + 1);
    }
  }

  /** Resolves when the writers can accept more rows. Throws `FileStoreError`. */
  async drained(): Promise<void> {
    await this.#data.drained();
    await this.#rejects.drained();
    await this.#held.drained();
  }

  /** Closes the files and returns them. Callers can add no rows afterwards. Throws `FileStoreError`. */
  async end(): Promise<StagedFiles> {
    const [data, rejects, held] = await Promise.all([this.#data.end(), this.#rejects.end(), this.#held.end()]);
    const proposedColumns = [...this.#proposed].map(([key, records]) => {
      const [name, type] = JSON.parse(key) as [string, string];
      return { name, type, records };
    });
    const { rows, rejected } = this;
    return {
      ...{ folder: this.folder, data, rejects, held, rows, rejected },
      ...{ heldRecords: this.#held.rows, proposedColumns },
    };
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#data.end(), this.#rejects.end(), this.#held.end()]);
    // `rmdir` is faster than `rm`, and succeeds if the caller has removed the files.
    await rmdir(this.folder).catch(() => rm(this.folder, { recursive: true, force: true }));
  }
}

/** Throws if two names differ only in case, because column names in DuckDB are case-insensitive. */
function requireUniqueNames({ fields }: TableSchema): void {
  const names = [...SYSTEM_COLUMNS, ...fields.map(({ name }) => name)].map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) throw new TypeError('column names must not differ only in case');
}

function recordOf(fields: readonly TableField[], values: readonly (string | null)[]): string {
  return JSON.stringify(Object.fromEntries(fields.map(({ name }, nth) => [name, values[nth]])));
}
