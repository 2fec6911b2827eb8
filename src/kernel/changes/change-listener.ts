import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../errors.js';
import { isPooledSession } from '../pooled-session.js';
import { CHANGE_CHANNEL, type Change, parseChange } from './change.js';

export interface ChangeListenerOptions {
  /** Must connect directly to PostgreSQL, because a transaction pooler does not deliver notifications. */
  readonly databaseUrl: string;
  /** Receives each error of the session. The error may contain secrets. */
  readonly report: (error: unknown) => void;
}

interface ChangeHandlers {
  readonly onChange: (change: Change) => void;
  /** Called when the session has ended. The process may have missed changes. */
  readonly onLost: () => void;
}

const CONNECT_TIMEOUT_MS = 5_000;

const READY_TIMEOUT_MS = 5_000;

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

/**
 * Interval of the statement that detects a lost session. After a failover, for example, nothing else reports the loss.
 */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;

/** A database session that listens for changes. The first subscriber opens the session, which then stays open. */
export class ChangeListener {
  readonly #stopped = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #isListening = false;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly options: ChangeListenerOptions,
    private readonly handlers: ChangeHandlers,
  ) {}

  /** Resolves when the session listens. Throws UNAVAILABLE if the next attempt to connect fails or takes too long. */
  async ready(): Promise<void> {
    if (this.#isListening) return;
    if (this.#stopped.signal.aborted) throw unavailable();
    this.#running ??= this.#run();
    const listening = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await Promise.race([listening, sleep(READY_TIMEOUT_MS, undefined, { ref: false })]);
    if (!this.#isListening) throw unavailable();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    let wait = FIRST_RETRY_MS;
    while (!signal.aborted) {
      let hasListened = false;
      try {
        await this.#listen(() => {
          hasListened = true;
          wait = FIRST_RETRY_MS;
        });
      } catch (error) {
        if (!signal.aborted) this.options.report(error);
      }
      // After a failed attempt, waiting subscribers fail. After the loss of a session, they wait for the next attempt.
      if (!hasListened) this.#wakeWaiting();
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
      wait = Math.min(wait * 2, MAX_RETRY_MS);
    }
    this.#wakeWaiting();
  }

  async #listen(onListening: () => void): Promise<void> {
    const { databaseUrl: connectionString } = this.options;
    const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS };
    const client = new pg.Client({ connectionString, keepAlive: true, ...timeouts });
    const ended = new Promise<unknown>((resolve) => {
      client.once('error', resolve);
      client.once('end', resolve);
    });
    this.#client = client;
    try {
      await client.connect();
      if (await isPooledSession(client)) throw new PooledSessionError();
      client.on('notification', ({ payload = '' }) => this.#receive(payload));
      await client.query(`listen ${CHANGE_CHANNEL}`);
      this.#isListening = true;
      onListening();
      this.#wakeWaiting();
      await this.#probe(client, ended);
    } finally {
      if (this.#isListening) this.handlers.onLost();
      this.#isListening = false;
      client.on('error', () => undefined);
      await Promise.race([client.end().catch(() => undefined), ended]);
    }
  }

  async #probe(client: pg.Client, ended: Promise<unknown>): Promise<void> {
    for (;;) {
      const timer = new AbortController();
      const tick = sleep(PROBE_INTERVAL_MS, 'tick', { signal: timer.signal, ref: false }).catch(() => 'tick');
      const event = await Promise.race([ended, tick]);
      timer.abort();
      if (event instanceof Error) throw event;
      if (event !== 'tick') return;
      await client.query('select 1');
    }
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #receive(payload: string): void {
    const change = parseChange(payload);
    if (change) this.handlers.onChange(change);
  }
}

export class PooledSessionError extends Error {
  override readonly name = 'PooledSessionError';

  constructor() {
    super(
      'LISTEN requires a direct connection to PostgreSQL, but this connection leads to a connection pooler. Set DATABASE_LISTEN_URL.',
    );
  }
}

function unavailable(): AppError {
  return new AppError('UNAVAILABLE', 'Live updates are not available at the moment. Try again shortly.');
}
