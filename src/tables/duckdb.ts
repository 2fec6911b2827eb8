import { randomUUID } from 'node:crypto';
import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import type { DuckDBConnection, DuckDBInstance, Json } from '@duckdb/node-api';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';

/**
 * Interval between updates of the modification time of the spill folder. Must be much shorter than the age at which
 * `sweepWorkFolder` removes a folder.
 */
const TOUCH_INTERVAL_MS = 60_000;

/** Maximum disk space for data that does not fit into memory. */
const MAX_SPILL_SIZE = '8GB';

interface Settings {
  /** Parent of the folder in which this process stores data that does not fit into memory. */
  readonly folder: string;
  readonly memory?: string;
  readonly threads?: number;
  /**
   * Whether DuckDB returns freed memory to the operating system after each statement. By default, DuckDB keeps the
   * memory for the next statement.
   */
  readonly releasesMemory?: boolean;
}

/**
 * If DuckDB frees at least this much memory in a task or a statement, it returns the memory to the operating system.
 */
const RELEASED_MEMORY = '1MB';

/**
 * Embedded, in-memory DuckDB that reads and writes Parquet files on its own threads. The first use creates the
 * instance, because loading the library takes time and memory.
 */
export class DuckDb {
  #instance: Promise<DuckDBInstance> | undefined;
  /**
   * Unique per instance. DuckDB uses the same file names in every instance, so in a shared folder, it would overwrite
   * files of other instances.
   */
  readonly #spillFolder: string;
  #touchedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly settings: Settings) {
    this.#spillFolder = join(settings.folder, `spilled-${randomUUID()}`);
  }

  /**
   * Runs `work` on a new connection and closes the connection afterwards. If `signal` is aborted, interrupts the
   * running statement and throws the abort reason. Throws `FileStoreError` if DuckDB cannot create the spill folder.
   */
  async connect<Result>(
    work: (connection: DuckDBConnection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.#touchFolder();
    this.#instance ??= open(this.settings, this.#spillFolder);
    const connection = await (await this.#instance).connect();
    const stopInterrupting = signal && interruptWhenAborted(connection, signal);
    try {
      signal?.throwIfAborted();
      return await work(connection);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      stopInterrupting?.();
      connection.closeSync();
    }
  }

  rows(sql: string): Promise<Record<string, Json>[]> {
    return this.connect(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
  }

  async close(): Promise<void> {
    (await this.#instance)?.closeSync();
    this.#instance = undefined;
    this.#touchedAt = Number.NEGATIVE_INFINITY;
    await rm(this.#spillFolder, { recursive: true, force: true });
  }

  /** Creates the spill folder, and updates its modification time, so that `sweepWorkFolder` does not remove it. */
  async #touchFolder(): Promise<void> {
    if (performance.now() - this.#touchedAt < TOUCH_INTERVAL_MS) return;
    try {
      await mkdir(this.#spillFolder, { recursive: true, mode: 0o700 });
      await utimes(this.#spillFolder, new Date(), new Date());
      this.#touchedAt = performance.now();
    } catch (error) {
      throw toFileStoreError(error);
    }
  }
}

/**
 * Interval between interrupts. DuckDB ignores an interrupt that arrives before a statement starts, so one interrupt is
 * not sufficient.
 */
const INTERRUPT_INTERVAL_MS = 100;

/** Returns a function that stops the interrupts. */
function interruptWhenAborted(connection: DuckDBConnection, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_INTERVAL_MS);
  };
  signal.addEventListener('abort', start, { once: true });
  return () => {
    signal.removeEventListener('abort', start);
    clearInterval(timer);
  };
}

/**
 * Returns the kind of a DuckDB error, such as `Conversion` or `Out of Memory`. Only the message of the error contains
 * the kind. Returns undefined for other errors.
 */
export function duckDbErrorKind(error: unknown): string | undefined {
  if (!isNativeError(error) || error.name !== 'Error') return undefined;
  return /^([A-Za-z ]+) Error: /.exec(error.message)?.[1];
}

async function open(
  { memory = '2GB', threads = 2, releasesMemory = false }: Settings,
  spillFolder: string,
): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  await keepByteOrderMarks();
  return DuckDBInstance.create(':memory:', {
    ...{ temp_directory: spillFolder, max_temp_directory_size: MAX_SPILL_SIZE },
    ...{ memory_limit: memory, threads: String(threads), preserve_insertion_order: 'true' },
    enable_external_file_cache: 'false', // The operating system caches local files, and DuckDB reads most of them once.
    ...(releasesMemory && {
      allocator_flush_threshold: RELEASED_MEMORY,
      allocator_bulk_deallocation_flush_threshold: RELEASED_MEMORY,
    }),
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', lock_configuration: 'true' },
  });
}

/**
 * Preserves a leading U+FEFF in strings and column names. By default, the decoder of the binding drops this character.
 */
async function keepByteOrderMarks(): Promise<void> {
  const { default: accessors } = await import('@duckdb/node-api/lib/vectors/dataAccessors.js');
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
