import pg from 'pg';

/** Internals of `pg` that its types omit. */
interface PipelinedClient {
  /** Whether a statement is sent before the responses to the previous statements have arrived. */
  pipeline: boolean;
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** How MikroORM selects the workspace of a transaction. */
const SET_CONFIG = /^select set_config\('[\w.]+', '[\w-]+', true\)$/;

const ENDINGS: readonly unknown[] = ['commit', 'rollback'];

const NO_ROWS = { command: '', rowCount: null, rows: [] };

/**
 * Sends the start of a transaction and its settings together with its first statement. A sync of one page has eight
 * transactions. In a pair of runs, the process needed 15 % less CPU time per sync without their 16 round trips.
 */
export class TransactionClient extends pg.Client {
  /** Statements of a transaction that are not sent yet. */
  #opening: string | undefined;

  override query(...args: unknown[]): never {
    return this.#query(args) as never;
  }

  #query(args: unknown[]): unknown {
    const [statement] = args;
    if (statement === 'begin') {
      this.#opening = 'begin';
      return Promise.resolve(NO_ROWS);
    }
    const opening = this.#opening;
    if (opening === undefined) return this.#send(args);
    if (typeof statement === 'string' && SET_CONFIG.test(statement)) {
      this.#opening = `${opening}; ${statement}`;
      return Promise.resolve(NO_ROWS);
    }
    this.#opening = undefined;
    return ENDINGS.includes(statement) ? Promise.resolve(NO_ROWS) : this.#sendWith(opening, args);
  }

  #sendWith(opening: string, args: unknown[]): unknown {
    const client = this as unknown as PipelinedClient;
    const { stream } = client.connection;
    client.pipeline = true;
    stream.cork();
    try {
      const sent = [this.#send([opening]), this.#send(args)] as [Promise<unknown>, Promise<unknown>];
      return Promise.allSettled(sent).then(([opened, answered]) => {
        client.pipeline = false;
        // Without its transaction, the statement saw no rows of the workspace. Its result must not be used.
        if (opened.status === 'rejected') throw opened.reason;
        if (answered.status === 'rejected') throw answered.reason;
        return answered.value;
      });
    } finally {
      stream.uncork();
    }
  }

  #send(args: unknown[]): unknown {
    return Reflect.apply(super.query, this, args);
  }
}
