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

/** Seconds. Longer than an exchange can take, so that nobody begins another meanwhile. */
const LEASE_SECONDS = 60;

/** Milliseconds that others wait for whoever obtains the session. */
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
 * The session of one credential, for all processes: of all who find it stale one obtains the next, under a lease, and keeps it by
 * comparing versions before anybody uses it, because a source may take a refresh token once only. No connection to the database is held meanwhile.
 */
export class CredentialSessionStore implements SessionStore {
  constructor(
    /** A reader remembers what it has read; each look at the row needs a fresh one. */
    private readonly freshReader: () => Reader,
    private readonly secrets: SecretStore,
    private readonly tenantId: string,
    private readonly credentialId: string,
    /** By workspace, credential and version: what this process itself is obtaining or waiting for. */
    private readonly inFlight: Map<string, Promise<StoredSession>>,
    /** Seconds after which the lease of a process that died may be taken over. */
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
    throw new AppError('UNAVAILABLE', 'The session of the credential is being renewed; try again shortly.');
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
      await this.#executeStatement(RELEASE_LEASE, version, holder).catch(() => undefined); // the lease runs out by itself
      throw error;
    }
    return this.#readConcurrentSession();
  }

  /** The lease ran out and somebody else was quicker, or the credential was taken back, and nobody would destroy what was kept just now. */
  async #readConcurrentSession(): Promise<StoredSession> {
    const others = await this.read().catch(async (error: unknown) => {
      if (error instanceof InactiveCredentialError)
        await this.secrets.destroy(sessionLocation(this.tenantId, this.credentialId), {}).catch(() => undefined);
      throw error;
    });
    if (!others) throw new AppError('CONFLICT', 'The credential was taken back meanwhile.');
    return others;
  }

  async #executeStatement(statement: string, version: number, holder: string, ...values: unknown[]): Promise<boolean> {
    const ids = [this.tenantId, this.credentialId].map(decodeId);
    const rows = await this.freshReader().rows(statement, [...ids, version, decodeId(holder), ...values]);
    return rows.length > 0;
  }
}
