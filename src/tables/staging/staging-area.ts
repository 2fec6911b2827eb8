import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileStoreError } from '../../kernel/files/to-file-store-error.js';
import { SYSTEM_COLUMNS, type TableField, type TableSchema } from '../table-schema.js';
import { acceptanceCheckOf, describeRejection } from './column-type.js';
import { type RowOrigin, type StagingFile, StagingFileWriter } from './staging-file.js';

/** Rows that are staged, all of them: plain data, which may have come from another thread. */
export interface StagedFiles {
  /** With the files of the rows in it. */
  readonly folder: string;
  readonly data: readonly StagingFile[];
  readonly rejects: readonly StagingFile[];
  readonly rows: number;
  readonly rejected: number;
}

/** Rows on their way into the files of a table, on disk, in constant memory as long as `drained` is awaited now and then. */
export class StagingArea {
  readonly #data: StagingFileWriter;
  readonly #rejects: StagingFileWriter;
  readonly #fits: readonly ReturnType<typeof acceptanceCheckOf>[];

  private constructor(
    readonly folder: string,
    readonly schema: TableSchema,
  ) {
    this.#fits = schema.fields.map(acceptanceCheckOf);
    const texts = this.#fits.flatMap((fits, nth) => (fits ? [] : [nth]));
    this.#data = new StagingFileWriter(join(folder, 'data'), texts);
    this.#rejects = new StagingFileWriter(join(folder, 'rejects'), [0, 1]);
  }

  /** Makes the folder, which is nobody else's. Throws `FileStoreError`. */
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

  /** On disk or on the way there, about. */
  get bytes(): number {
    return this.#data.bytes + this.#rejects.bytes;
  }

  /**
   * A row of the table: a value for each field of the schema, in its order, in the spelling of `ValueReader`; null where there is none. Where one does not
   * fit its column to the last digit, the row is rejected, as a JSON object of its texts.
   */
  add(origin: RowOrigin, values: readonly (string | null)[]): void {
    const { fields } = this.schema;
    if (values.length !== fields.length) throw new TypeError('a row has a value for each field');
    const misfit = this.#findMisfit(values);
    if (misfit < 0) this.#data.add(origin, values);
    else
      this.reject(
        origin,
        describeRejection(fields[misfit] as TableField, values[misfit] as string),
        recordOf(fields, values),
      );
  }

  #findMisfit(values: readonly (string | null)[]): number {
    for (let nth = 0; nth < values.length; nth++) {
      const value = values[nth] as string | null;
      if (value !== null && this.#fits[nth]?.(value) === false) return nth;
    }
    return -1;
  }

  /** A row that must not become part of the table, as it came, and why; where it does not fit either, that is the reason. */
  rejectValues(origin: RowOrigin, values: readonly (string | null)[], reason: string, record: string): void {
    const misfit = this.#findMisfit(values);
    const { fields } = this.schema;
    if (misfit < 0) this.reject(origin, reason, record);
    else this.reject(origin, describeRejection(fields[misfit] as TableField, values[misfit] as string), record);
  }

  /** A row that does not fit, as it came, and why. */
  reject(origin: RowOrigin, reason: string, record: string): void {
    this.#rejects.add(origin, [reason, record]);
  }

  /** Resolves once there is room for more. Throws `FileStoreError`. */
  async drained(): Promise<void> {
    await this.#data.drained();
    await this.#rejects.drained();
  }

  /** The files with all rows, after which none are taken any more. Throws `FileStoreError`. */
  async end(): Promise<StagedFiles> {
    const [data, rejects] = await Promise.all([this.#data.end(), this.#rejects.end()]);
    return { folder: this.folder, data, rejects, rows: this.rows, rejected: this.rejected };
  }

  /** Removes the folder with all that is in it. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#data.end(), this.#rejects.end()]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** DuckDB takes names that differ by case alone for one. */
function requireUniqueNames({ fields }: TableSchema): void {
  const names = [...SYSTEM_COLUMNS, ...fields.map(({ name }) => name)].map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) throw new TypeError('two columns of a table have one name');
}

function recordOf(fields: readonly TableField[], values: readonly (string | null)[]): string {
  return JSON.stringify(Object.fromEntries(fields.map(({ name }, nth) => [name, values[nth]])));
}
