import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.js';
import { decodeId, newId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { Session, SessionStore, StoredSession } from '../../sources/session.js';
import { InactiveCredentialError } from './inactive-credential-error.js';
import { readSealedCredential } from './load-connection.js';
import { sessionLocation } from './sealed-credential.js';
import { openSession, sealSession } from './sealed-session.js';

/** Longer than a token exchange can take, so that no other process starts one at the same time. */
const LEASE_SECONDS = 60;

/** Longer than the lease, so that a waiting process can take over from one that died. */
const RENEWAL_WAIT_TIMEOUT_MS = 65_000;
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 500;

const ACQUIRE_LEASE = `
update sealed_credential set lease_holder = $4, lease_until = now() + make_interval(secs => $5)
where tenant_id = $1 and credential_id = $2 and version = $3 and (lease_holder is null or lease_until < now())
returning version`;

const SAVE_SESSION = `
update sealed_credential set session = $5, version = version + 1, lease_holder = null, lease_until = null
where tenant_id = $1 and credential_id = $2 and version = $3 and lease_holder = $4 returning version`;

const RELEASE_LEASE = `
update sealed_credential set lease_holder = null, lease_until = null
where tenant_id = $1 and credential_id = $2 and version = $3 and lease_holder = $4`;

/**
 * The session of one credential, shared by all processes. When it is stale, one process obtains the next session under
 * a lease and stores it by compare-and-set before use, because a source may accept a refresh token only once. No
 * database connection is held during the exchange.
 */
export class CredentialSessionStore implements SessionStore {
  constructor(
    /** Readers cache rows, so every poll needs a fresh one. */
    private readonly freshReader: () => Reader,
    private readonly secrets: SecretStore,
    private readonly tenantId: string,
    private readonly credentialId: string,
    /** Exchanges that this process runs or waits for, keyed by workspace, credential and version. */
    private readonly inFlight: Map<string, Promise<StoredSession>>,
    /** Another process may take over the lease of a dead process after this time. */
    private readonly leaseSeconds = LEASE_SECONDS,
  ) {}

  async read(): Promise<StoredSession | undefined> {
    const { version, session } = await readSealedCredential(this.freshReader(), this.credentialId);
    if (!session) return undefined;
    return { version, session: await openSession(this.secrets, this.tenantId, this.credentialId, session) };
  }

  async replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession> {
    const name = `${this.tenantId} ${this.credentialId} ${stale?.version ?? 0}`;
    const others = this.inFlight.get(name);
    if (others) return others;
    const mine = this.#replace(stale, obtain).finally(() => this.inFlight.delete(name));
    this.inFlight.set(name, mine);
    return mine;
  }

  async #replace(
    stale: StoredSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession> {
    const holder = newId();
    const until = performance.now() + RENEWAL_WAIT_TIMEOUT_MS;
    for (let pause = POLL_INTERVAL_MS; performance.now() < until; pause = Math.min(pause * 2, MAX_POLL_INTERVAL_MS)) {
      const kept = await this.read();
      if (kept && kept.version !== stale?.version) return kept;
      const version = kept?.version ?? 0;
      if (await this.#executeStatement(ACQUIRE_LEASE, version, holder, this.leaseSeconds))
        return this.#obtain(kept, version, holder, obtain);
      await sleep(pause + Math.random() * POLL_INTERVAL_MS);
    }
    throw new AppError('UNAVAILABLE', 'The session of the credential is being renewed. Try again shortly.');
  }

  async #obtain(
    kept: StoredSession | undefined,
    version: number,
    holder: string,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<StoredSession> {
    try {
      const session = await obtain(kept?.session);
      const sealed = await sealSession(this.secrets, this.tenantId, this.credentialId, session);
      if (await this.#executeStatement(SAVE_SESSION, version, holder, JSON.stringify(sealed)))
        return { version: version + 1, session };
    } catch (error) {
      await this.#executeStatement(RELEASE_LEASE, version, holder).catch(() => undefined); // otherwise the lease expires
      throw error;
    }
    return this.#readConcurrentSession();
  }

  /**
   * The lease expired and another process stored a session, or the credential was retired. In the latter case, destroys
   * the session that was just written to the store, because nothing refers to it.
   */
  async #readConcurrentSession(): Promise<StoredSession> {
    const others = await this.read().catch(async (error: unknown) => {
      if (error instanceof InactiveCredentialError)
        await this.secrets.destroy(sessionLocation(this.tenantId, this.credentialId), {}).catch(() => undefined);
      throw error;
    });
    if (!others)
      throw new AppError('CONFLICT', 'The credential was replaced or deleted. Read the connection and try again.');
    return others;
  }

  async #executeStatement(statement: string, version: number, holder: string, ...values: unknown[]): Promise<boolean> {
    const ids = [this.tenantId, this.credentialId].map(decodeId);
    const rows = await this.freshReader().rows(statement, [...ids, version, decodeId(holder), ...values]);
    return rows.length > 0;
  }
}
