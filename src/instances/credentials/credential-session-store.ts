import { type LeasedRow, pollUntil } from '../../kernel/concurrency/lease.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { Session, SessionStore, StoredSession } from '../../sources/session.js';
import { InactiveCredentialError } from './inactive-credential-error.js';
import { readSealedCredential } from './load-connection.js';
import { sessionLease, sessionLocation } from './sealed-credential.js';
import { openSession, sealSession } from './sealed-session.js';

/** Longer than the longest token exchange, so that two processes never exchange tokens at the same time. */
const LEASE_SECONDS = 60;

/** Longer than the lease, so that a waiting process can take over from a process that died. */
const RENEWAL_WAIT_TIMEOUT_MS = 65_000;
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 500;

const SAVE_SESSION = `
update sealed_credential set session = $5, version = version + 1, lease_holder = null, lease_until = null
where tenant_id = $1 and credential_id = $2 and version = $3 and lease_holder = $4 returning version`;

/**
 * A process obtains the next session under a lease, without holding a database connection. It stores the session by
 * compare-and-set before the first use, because a source may accept a refresh token only once.
 */
export class CredentialSessionStore implements SessionStore {
  constructor(
    /** A reader caches rows, so each statement and each read of the session uses a new reader. */
    private readonly freshReader: () => Reader,
    private readonly secrets: SecretStore,
    private readonly tenantId: string,
    private readonly credentialId: string,
    /** Sessions that this process is replacing, by workspace, credential and session version. */
    private readonly inFlight: Map<string, Promise<StoredSession>>,
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
    const attempt = async (): Promise<StoredSession | undefined> => {
      const kept = await this.read();
      if (kept && kept.version !== stale?.version) return kept;
      const version = kept?.version ?? 0;
      const held = await sessionLease.acquire(this.#row(), this.leaseSeconds, version);
      return held && this.#obtain(kept, version, held.holder, obtain);
    };
    const replaced = await pollUntil(attempt, {
      deadline: performance.now() + RENEWAL_WAIT_TIMEOUT_MS,
      intervalMs: POLL_INTERVAL_MS,
      maxIntervalMs: MAX_POLL_INTERVAL_MS,
    });
    if (replaced) return replaced;
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
      const values = [this.tenantId, this.credentialId].map(decodeId);
      const { query } = this.#row();
      if ((await query(SAVE_SESSION, [...values, version, holder, JSON.stringify(sealed)])).length)
        return { version: version + 1, session };
    } catch (error) {
      // The lease expires if the release fails.
      await sessionLease.release(this.#row(), { holder }).catch(() => undefined);
      throw error;
    }
    return this.#readConcurrentSession();
  }

  /**
   * Returns the session that another process has stored. If the credential was retired, destroys the session of this
   * process, because no row refers to it.
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

  #row(): LeasedRow {
    const query: LeasedRow['query'] = (...statement) => this.freshReader().rows(...statement);
    return { tenantId: this.tenantId, id: this.credentialId, query };
  }
}
