import pg, { type ClientConfig, type QueryConfig } from 'pg';
import { BoundedQuery } from '../kernel/reading/scoped-query.js';
import { GET_CONNECTION, type TransactionConnection } from '../kernel/transaction-statement.js';

/** Internal members of `pg` that its types omit. */
interface PipelinedClient {
  /** Whether the client sends a statement before the responses to earlier statements have arrived. */
  pipeline: boolean;
  readonly connection: {
    readonly stream: { cork(): void; uncork(): void };
    on(event: 'errorMessage', listener: (error: { readonly code: string }) => void): void;
  };
}

/**
 * SQLSTATE feature_not_supported. PostgreSQL reports it for a prepared statement if a migration has changed the type of
 * a result column.
 */
const CHANGED_COLUMN_TYPE = '0A000';

/** MikroORM sets the workspace of a transaction with this statement. */
const SET_CONFIG = /^select set_config\('[\w.]+', '[\w-]+', true\)$/;

const BEGIN = /^(begin|start transaction)\b/;
const ENDINGS: readonly unknown[] = ['commit', 'rollback'];

const NO_ROWS = { command: '', rowCount: null, rows: [] };

/**
 * Saves round trips, which would take a third of the CPU time of a sync of one page (eight transactions). Sends BEGIN
 * and the settings of a transaction with its first statement. Sends a statement without a result (`isDeferred`) with
 * the next statement or the COMMIT. Sends all statements of one turn of the event loop in one write.
 */
export class TransactionClient extends pg.Client {
  /** BEGIN and the settings of the transaction. Undefined after the client has sent them. */
  #opening: string | undefined;
  /** Statements with `isDeferred` that the client has not sent yet. */
  #deferred: unknown[][] = [];
  #isCorked = false;
  #transaction: object | undefined;

  constructor(config?: ClientConfig) {
    super(config);
    const internal = this as unknown as PipelinedClient;
    internal.pipeline = true;
    // Ends the connection. The pool then opens a new one, which prepares the statements again.
    internal.connection.on('errorMessage', ({ code }) => code === CHANGED_COLUMN_TYPE && void this.end());
  }

  override query(...args: unknown[]): never {
    return this.#query(args) as never;
  }

  #query(args: unknown[]): unknown {
    const [statement] = args;
    if (statement === GET_CONNECTION) return Promise.resolve({ ...NO_ROWS, rows: [this.#connection()] });
    if (ENDINGS.includes(statement)) this.#transaction = undefined;
    if (typeof statement === 'string' && BEGIN.test(statement)) this.#transaction = {};
    if (statement === 'begin') {
      this.#opening = 'begin';
      this.#deferred = [];
      return Promise.resolve(NO_ROWS);
    }
    const isAtStart = this.#opening !== undefined && this.#deferred.length === 0;
    if (isAtStart && typeof statement === 'string' && SET_CONFIG.test(statement)) {
      this.#opening = `${this.#opening}; ${statement}`;
      return Promise.resolve(NO_ROWS);
    }
    if (isDeferred(statement)) {
      if (!hasPlainValues(statement))
        return Promise.reject(new TypeError('a deferred statement must not have objects or arrays as values'));
      this.#deferred.push(args);
      return Promise.resolve(NO_ROWS);
    }
    if (statement === 'rollback') this.#deferred = [];
    const before = this.#takeUnsent();
    if (before.length === 0 && !returnsPromise(args)) return this.#send(args);
    const hasOnlyOpening = before.length === 1 && this.#opening !== undefined;
    this.#opening = undefined;
    return hasOnlyOpening && ENDINGS.includes(statement) ? Promise.resolve(NO_ROWS) : this.#sendWith(before, args);
  }

  /**
   * Rejects statements after the end of the transaction, because PostgreSQL would commit each such statement
   * separately.
   */
  #connection(): TransactionConnection {
    const transaction = this.#transaction;
    return {
      query: async (statement) => {
        if (!transaction || this.#transaction !== transaction)
          throw new Error('the transaction of the statement has ended');
        return this.query(statement);
      },
    };
  }

  #takeUnsent(): unknown[][] {
    const deferred = this.#deferred;
    this.#deferred = [];
    return this.#opening === undefined ? deferred : [[this.#opening], ...deferred];
  }

  async #sendWith(before: readonly unknown[][], args: unknown[]): Promise<unknown> {
    const results = await Promise.allSettled([...before, args].map((one) => this.#send(one) as Promise<unknown>));
    // If BEGIN failed, the statement ran without the workspace setting, and row level security made its result empty.
    // The code therefore waits for all results, and throws the first error.
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    const { value } = results.at(-1) as PromiseFulfilledResult<{ readonly command?: string }>;
    // After a failed statement, PostgreSQL rolls back on COMMIT, but returns no error.
    if (args[0] === 'commit' && value.command !== 'COMMIT')
      throw new Error('the COMMIT rolled back, because a statement of the transaction failed');
    return value;
  }

  #send(args: unknown[]): unknown {
    this.#cork();
    const [statement] = args;
    // `Pool.query` passes a callback, which the promise below would ignore.
    if (!hasRawRows(statement) || typeof args.at(-1) === 'function') return Reflect.apply(super.query, this, args);
    const query = super.query.bind(this) as (query: unknown) => void;
    return new Promise((resolve, reject) => {
      query(new BoundedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))));
    });
  }

  /** Buffers writes until the end of this turn of the event loop. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = (this as unknown as PipelinedClient).connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** `pg` returns a promise unless the statement has a callback or is a query object. */
function returnsPromise(args: readonly unknown[]): boolean {
  const [statement] = args;
  const isQuery = typeof statement === 'object' && statement !== null && 'submit' in statement;
  return !isQuery && typeof args.at(-1) !== 'function';
}

/** Raw rows are arrays in PostgreSQL's text format. They need no description of the columns. */
function hasRawRows(statement: unknown): statement is QueryConfig {
  return typeof statement === 'object' && statement !== null && 'rowMode' in statement && 'types' in statement;
}

function isDeferred(statement: unknown): statement is QueryConfig {
  return typeof statement === 'object' && statement !== null && 'isDeferred' in statement;
}

/**
 * Excludes objects and arrays, because `pg` may be unable to convert them. If a conversion failed, `pg` would not send
 * the statement, and the COMMIT in the same write would commit only the earlier statements.
 */
function hasPlainValues({ values = [] }: QueryConfig): boolean {
  return values.every((value) => typeof value !== 'object' || value === null || value instanceof Date);
}
