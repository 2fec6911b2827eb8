import pg, { type QueryConfig } from 'pg';

/** A PostgreSQL setting for one statement. Row level security policies read the setting. */
export interface Scope {
  readonly setting: string;
  readonly value: string;
}

/** Internal methods of queries and connections that the types of `pg` omit. */
interface Wire {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  close(statement: { type: 'S'; name: string }): void;
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string }): void;
  describe(message: unknown): void;
}
interface Statement {
  name: string | undefined;
  text: string | undefined;
}
interface WireQuery extends Statement {
  requiresPreparation(): boolean;
  readonly _result: { addRow(row: unknown[]): void };
  prepare(connection: Wire): void;
  handleDataRow(message: { fields: unknown[] }): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
type Callback = (error: Error | null, result: unknown) => void;
const Query = pg.Query as unknown as new (config: QueryConfig, callback?: Callback) => WireQuery;

/**
 * Maximum number of prepared statements per connection. Without a limit, each operation document of a client would add
 * statements.
 */
const MAX_STATEMENTS = 300;

/**
 * Closes the oldest prepared statement if the connection has too many. Returns rows as arrays in PostgreSQL's text
 * format, and therefore requests no names and types of columns.
 */
export class BoundedQuery extends Query {
  override prepare(connection: Wire): void {
    const { parsedStatements, submittedNamedStatements } = connection;
    if (this.name && !parsedStatements[this.name]) {
      const names = Object.keys(parsedStatements);
      const [oldest] = names;
      if (oldest !== undefined && names.length >= MAX_STATEMENTS) {
        delete parsedStatements[oldest];
        delete submittedNamedStatements[oldest];
        connection.close({ type: 'S', name: oldest });
      }
    }
    const { describe } = connection;
    connection.describe = () => undefined;
    try {
      super.prepare(connection);
    } finally {
      connection.describe = describe;
    }
  }

  override handleDataRow({ fields }: { fields: unknown[] }): void {
    this._result.addRow(fields);
  }
}

/** Changes the setting, and returns no row. */
const SET = { name: 'taproot_scope', text: 'select where set_config($1, $2, true) is null' };

/** For connections that do not support prepared statements. */
const UNNAMED_SET = { ...SET, name: '' };

/**
 * Runs one statement in its own transaction under a setting, in one round trip. All messages up to a Sync form one
 * implicit transaction (PostgreSQL, "Message Flow: Pipelining"). A transaction-local setting therefore applies to the
 * following statement, and always ends with it.
 */
export class ScopedQuery extends BoundedQuery {
  /** The statement itself, until the response to the setting has arrived. Undefined afterwards. */
  #statement: Statement | undefined;

  constructor(
    config: QueryConfig,
    private readonly scope: Scope,
  ) {
    super(config);
  }

  /** Forces the extended protocol. With the simple protocol, `pg` would not call `prepare`, which sends the setting. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Wire): void {
    const { setting, value } = this.scope;
    const set = this.name ? SET : UNNAMED_SET;
    if (!connection.parsedStatements[set.name] && !connection.submittedNamedStatements[set.name]) {
      connection.parse(set);
      if (set.name) connection.submittedNamedStatements[set.name] = set.text;
    }
    connection.bind({ portal: '', statement: set.name, values: [setting, value] });
    connection.execute({ portal: '' });
    super.prepare(connection);
    // When PostgreSQL has parsed `set`, `pg` stores `this.name` and `this.text` as the parsed statement, so these
    // properties must be those of `set` until then.
    const { name, text } = this;
    this.#statement = { name, text };
    Object.assign(this, set);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (!this.#statement) {
      super.handleCommandComplete(message, connection);
      return;
    }
    Object.assign(this, this.#statement);
    this.#statement = undefined;
  }
}
