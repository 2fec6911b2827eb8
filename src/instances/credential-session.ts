import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../kernel/errors.js';
import { decodeId, newId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading.js';
import type { SecretStore } from '../secrets/secret-store.js';
import type { KeptSession, Session, SessionKeeper } from '../sources/session.js';
import { CredentialGone } from './credential-gone.js';
import { readSealed } from './load-connection.js';
import { sessionPlace } from './sealed-credential.js';
import { openSession, sealSession } from './sealed-session.js';

/** Seconds. Longer than an exchange can take, so that nobody begins another meanwhile. */
const LEASE = 60;

/** Milliseconds that others wait for whoever obtains the session. */
const PATIENCE = 65_000;
const PAUSE = 50;
const MAX_PAUSE = 500;

const TAKE_LEASE = `
update sealed_credential set lease_holder = $4, lease_until = now() + make_interval(secs => $5)
where tenant_id = $1 and credential_id = $2 and version = $3 and (lease_holder is null or lease_until < now())
returning version`;

const KEEP = `
update sealed_credential set session = $5, version = version + 1, lease_holder = null, lease_until = null
where tenant_id = $1 and credential_id = $2 and version = $3 and lease_holder = $4 returning version`;

const GIVE_UP = `
update sealed_credential set lease_holder = null, lease_until = null
where tenant_id = $1 and credential_id = $2 and version = $3 and lease_holder = $4`;

/**
 * The session of one credential, for all processes: of all who find it stale one obtains the next, under a lease, and keeps it by
 * comparing versions before anybody uses it, because a source may take a refresh token once only. No connection to the database is held meanwhile.
 */
export class CredentialSession implements SessionKeeper {
  constructor(
    /** A reader remembers what it has read; each look at the row needs a fresh one. */
    private readonly freshReader: () => Reader,
    private readonly secrets: SecretStore,
    private readonly tenantId: string,
    private readonly credentialId: string,
    /** By workspace, credential and version: what this process itself is obtaining or waiting for. */
    private readonly underWay: Map<string, Promise<KeptSession>>,
    /** Seconds after which the lease of a process that died may be taken over. */
    private readonly lease = LEASE,
  ) {}

  async read(): Promise<KeptSession | undefined> {
    const { version, session } = await readSealed(this.freshReader(), this.credentialId);
    if (!session) return undefined;
    return { version, session: await openSession(this.secrets, this.tenantId, this.credentialId, session) };
  }

  async replace(
    stale: KeptSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<KeptSession> {
    const name = `${this.tenantId} ${this.credentialId} ${stale?.version ?? 0}`;
    const others = this.underWay.get(name);
    if (others) return others;
    const mine = this.#replace(stale, obtain).finally(() => this.underWay.delete(name));
    this.underWay.set(name, mine);
    return mine;
  }

  async #replace(
    stale: KeptSession | undefined,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<KeptSession> {
    const holder = newId();
    const until = performance.now() + PATIENCE;
    for (let pause = PAUSE; performance.now() < until; pause = Math.min(pause * 2, MAX_PAUSE)) {
      const kept = await this.read();
      if (kept && kept.version !== stale?.version) return kept;
      const version = kept?.version ?? 0;
      if (await this.#run(TAKE_LEASE, version, holder, this.lease)) return this.#obtain(kept, version, holder, obtain);
      await sleep(pause + Math.random() * PAUSE);
    }
    throw new AppError('UNAVAILABLE', 'The session of the credential is being renewed; try again shortly.');
  }

  async #obtain(
    kept: KeptSession | undefined,
    version: number,
    holder: string,
    obtain: (previous: Session | undefined) => Promise<Session>,
  ): Promise<KeptSession> {
    try {
      const session = await obtain(kept?.session);
      const sealed = await sealSession(this.secrets, this.tenantId, this.credentialId, session);
      if (await this.#run(KEEP, version, holder, JSON.stringify(sealed))) return { version: version + 1, session };
    } catch (error) {
      await this.#run(GIVE_UP, version, holder).catch(() => undefined); // the lease runs out by itself
      throw error;
    }
    return this.#ofOthers();
  }

  /** The lease ran out and somebody else was quicker, or the credential was taken back, and nobody would destroy what was kept just now. */
  async #ofOthers(): Promise<KeptSession> {
    const others = await this.read().catch(async (error: unknown) => {
      if (error instanceof CredentialGone)
        await this.secrets.destroy(sessionPlace(this.tenantId, this.credentialId), {}).catch(() => undefined);
      throw error;
    });
    if (!others) throw new AppError('CONFLICT', 'The credential was taken back meanwhile.');
    return others;
  }

  async #run(statement: string, version: number, holder: string, ...values: unknown[]): Promise<boolean> {
    const ids = [this.tenantId, this.credentialId].map(decodeId);
    const rows = await this.freshReader().rows(statement, [...ids, version, decodeId(holder), ...values]);
    return rows.length > 0;
  }
}
