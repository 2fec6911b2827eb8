import pg, { type QueryConfig } from 'pg';

/** A setting of PostgreSQL that row level security policies read, and its value for one statement. */
export interface Scope {
  readonly setting: string;
  readonly value: string;
}

/** What `pg` itself calls on a query and on its connection; its types leave this out. */
interface Wire {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string }): void;
}
interface Statement {
  name: string | undefined;
  text: string | undefined;
}
interface WireQuery extends Statement {
  requiresPreparation(): boolean;
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const Query = pg.Query as unknown as new (config: QueryConfig) => WireQuery;

const SET = { name: 'taproot_scope', text: 'select set_config($1, $2, true)' };

/** For a statement without a name: the connection may not keep prepared statements. */
const UNNAMED_SET = { ...SET, name: '' };

/**
 * One statement in a transaction of its own that begins with a setting, in one round trip. Messages up to one Sync are one
 * implicit transaction (PostgreSQL, "Message Flow: Pipelining"), so a setting that is local to the transaction holds for
 * the statement that follows it and is gone afterwards, whatever happens.
 */
export class ScopedQuery extends Query {
  /** The statement itself, while the answers to the setting come in. */
  #statement: Statement | undefined;

  constructor(
    config: QueryConfig,
    private readonly scope: Scope,
  ) {
    super(config);
  }

  /** Also without a name and values: the simple protocol would leave the setting out. */
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
    // The client notes what has been parsed under the name that the query bears at that moment.
    const { name, text } = this;
    this.#statement = { name, text };
    Object.assign(this, set);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#statement) super.handleDataRow(message);
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
