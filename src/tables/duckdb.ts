import { randomUUID } from 'node:crypto';
import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import type { DuckDBConnection, DuckDBInstance, Json } from '@duckdb/node-api';
import { toFileStoreError } from '../kernel/files/to-file-store-error.js';

/** What it may put on the disk of what does not fit into memory. */
const MAX_SPILL_SIZE = '8GB';

interface Settings {
  /** For a folder of its own, with what does not fit into memory. */
  readonly folder: string;
  readonly memory?: string;
  readonly threads?: number;
}

/**
 * DuckDB in this process, without a database of its own: it reads and writes the files that it is told, on threads of its own. Opened when it is
 * first needed, since its library takes a while to load and some memory to hold.
 */
export class DuckDb {
  #instance: Promise<DuckDBInstance> | undefined;
  /** Nobody else's: DuckDB gives its files the same names in each process, and overwrites those of others. */
  readonly #spilled: string;

  constructor(private readonly settings: Settings) {
    this.#spilled = join(settings.folder, `spilled-${randomUUID()}`);
  }

  /**
   * Runs statements one after the other on a connection of their own, which ends with `work`. Throws `FileStoreError`, and the reason of the signal
   * where it is aborted before `work` has ended: the statement that runs then is given up.
   */
  async connect<Result>(
    work: (connection: DuckDBConnection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.#keepFolder();
    this.#instance ??= open(this.settings, this.#spilled);
    const connection = await (await this.#instance).connect();
    const calm = signal && interruptWhenAborted(connection, signal);
    try {
      signal?.throwIfAborted();
      return await work(connection);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      calm?.();
      connection.closeSync();
    }
  }

  /** The rows that one statement answers with, as JSON. */
  rows(sql: string): Promise<Record<string, Json>[]> {
    return this.connect(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
  }

  async close(): Promise<void> {
    (await this.#instance)?.closeSync();
    this.#instance = undefined;
    await rm(this.#spilled, { recursive: true, force: true });
  }

  /** Its time says that somebody is at work there: see `sweepWorkFolder`. */
  async #keepFolder(): Promise<void> {
    try {
      await mkdir(this.#spilled, { recursive: true, mode: 0o700 });
      await utimes(this.#spilled, new Date(), new Date());
    } catch (error) {
      throw toFileStoreError(error);
    }
  }
}

/** Milliseconds: DuckDB forgets an interruption that comes before a statement has begun. */
const INTERRUPT_INTERVAL_MS = 100;

/** Until what it answers is called. */
function interruptWhenAborted(connection: DuckDBConnection, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), INTERRUPT_INTERVAL_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    clearInterval(timer);
  };
}

/** What DuckDB calls a fault, `Conversion` or `Out of Memory`; undefined of what is none of its own. It says so nowhere but in the message. */
export function duckDbErrorKind(error: unknown): string | undefined {
  if (!isNativeError(error) || error.name !== 'Error') return undefined;
  return /^([A-Za-z ]+) Error: /.exec(error.message)?.[1];
}

async function open({ memory = '2GB', threads = 2 }: Settings, spilled: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  await keepByteOrderMarks();
  return DuckDBInstance.create(':memory:', {
    ...{ temp_directory: spilled, max_temp_directory_size: MAX_SPILL_SIZE },
    ...{ memory_limit: memory, threads: String(threads), preserve_insertion_order: 'true' },
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', lock_configuration: 'true' },
  });
}

/** The decoder of the binding would drop U+FEFF at the start of each text, of names of columns as of values. */
async function keepByteOrderMarks(): Promise<void> {
  const { default: accessors } = await import('@duckdb/node-api/lib/vectors/dataAccessors.js');
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}

/** A text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
