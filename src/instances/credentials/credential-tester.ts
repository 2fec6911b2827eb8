import type { EntityManager } from '@mikro-orm/postgresql';
import { type HeldLease, Lease, type LeasedRow, pollUntil } from '../../kernel/concurrency/lease.js';
import type { EntityTables } from '../../kernel/entities/entity-tables.js';
import { AppError } from '../../kernel/errors.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { ReaderFactory } from '../../kernel/reading/reader-factory.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import { testCredential } from '../../sources/calls/test-credential.js';
import type { StoredSession } from '../../sources/session.js';
import type { SendFor } from '../../sources/source-request.js';
import { systemCaller, type WorkspaceTransaction, writeAsCaller } from '../../tenancy/workspace-transaction.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { CredentialValidation } from '../credential-validation.js';
import { CredentialSessionStore } from './credential-session-store.js';
import { type CredentialTestData, credentialTestQueue } from './credential-test-job.js';
import { InactiveCredentialError } from './inactive-credential-error.js';
import { loadConnection } from './load-connection.js';
import { type ClaimedCredentialTest, recordTestOutcome } from './record-test-outcome.js';
import { recordSenderStatus } from './sender-verification.js';
import type { SourceRateLimiter } from './source-rate-limiter.js';
import type { VendorRequestLimiter } from './vendor-request-limiter.js';

export interface CredentialTestServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly jobs: Jobs;
  readonly sourceLimits: SourceRateLimiter;
  readonly requestLimit: VendorRequestLimiter;
  /** Logs an internal error. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** Longer than the longest test. */
const LEASE_SECONDS = 60;

/** Longer than the lease, so that a waiting caller can take over from a process that died. */
const ACQUIRE_TIMEOUT_MS = 65_000;
const POLL_INTERVAL_MS = 200;

const testLease = new Lease({
  ...{ table: 'credential_metadata', key: 'id', holder: 'tested_until', until: 'tested_until' },
  condition: "status not in ('superseded', 'revoked')",
  assignment: "status = case status when 'pending' then 'validating' else status end",
});

type Validation = Lean<CredentialValidation>;

type AcquireResult = HeldLease | { readonly found: Validation };

/** Concurrent tests of one credential share one call to the source, even in different processes. */
export class CredentialTester {
  /** By workspace and credential, so that callers of another workspace cannot join a test. */
  readonly #inFlight = new Map<string, Promise<Validation>>();
  readonly #sessions = new Map<string, Promise<StoredSession>>();

  constructor(private readonly services: CredentialTestServices) {}

  /** Skips credentials of inbound connections and credentials that await a sign-in. */
  async enqueue({ em, caller }: WorkspaceTransaction, { id, status }: CredentialMetadata): Promise<void> {
    if (status !== 'pending') return;
    const data = { tenantId: caller.tenantId, credentialId: id, trigger: 'submitted' } as const;
    await this.services.jobs.enqueue(em, credentialTestQueue, data);
  }

  /** Joins a running test of the same credential. */
  async test(data: CredentialTestData, requestId: string): Promise<Validation> {
    const name = `${data.tenantId} ${data.credentialId}`;
    const running = this.#inFlight.get(name);
    if (running) return running;
    const started = this.#test(data, requestId).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, started);
    return started;
  }

  /**
   * Tests count towards the limit of vendor requests, because a caller could otherwise guess credentials with many
   * submissions. At the limit, the test runs later.
   */
  async runTestJob(data: CredentialTestData, jobId: string): Promise<void> {
    const { em, tables, jobs, requestLimit } = this.services;
    if (await this.#isObsolete(data)) return;
    const wait = await requestLimit.tryConsume(data.tenantId);
    if (wait > 0) {
      const later = { startAfter: new Date(Date.now() + wait * 1_000 * (1 + Math.random())) };
      await runTenantTransaction(em, tables, data.tenantId, (tx) =>
        jobs.enqueue(tx.em, credentialTestQueue, data, later),
      );
      return;
    }
    await this.test(data, jobId).catch((error: unknown) => {
      if (!(error instanceof InactiveCredentialError)) throw error;
    });
  }

  /** Prevents periodic tests of a rejected credential, which could lock the account at the source. */
  async #isObsolete({ tenantId, credentialId, trigger }: CredentialTestData): Promise<boolean> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    return trigger === 'periodic' && (credential?.status === 'invalid' || credential?.status === 'expired');
  }

  #sessionOf(tenantId: string, credentialId: string): CredentialSessionStore {
    const { readers, secrets } = this.services;
    return new CredentialSessionStore(
      () => readers.forTenant(tenantId),
      secrets,
      tenantId,
      credentialId,
      this.#sessions,
    );
  }

  async #test(data: CredentialTestData, requestId: string): Promise<Validation> {
    const { tenantId, credentialId } = data;
    if (await this.#isInboundCredential(data)) return this.#recordSenderStatus(data, requestId);
    const held = await this.#acquireOrAwait(tenantId, credentialId);
    if ('found' in held) return held.found;
    try {
      const outcome = await this.#runTest(tenantId, credentialId, requestId);
      return await this.#record({ ...data, claim: held.holder }, requestId, outcome);
    } catch (error) {
      await testLease.release(this.#row(tenantId, credentialId), held).catch(() => undefined);
      throw error;
    }
  }

  async #acquireOrAwait(tenantId: string, credentialId: string): Promise<AcquireResult> {
    const before = await this.#latest(tenantId, credentialId);
    const row = this.#row(tenantId, credentialId);
    const attempt = async (): Promise<AcquireResult | undefined> => {
      const held = await testLease.acquire(row, LEASE_SECONDS);
      // Must follow `acquire`. One transaction stores the result of a test and releases the lease. If another process
      // has just released the lease, this read therefore returns the result of that process.
      const latest = await this.#latest(tenantId, credentialId);
      const found = latest?.id === before?.id ? undefined : latest;
      if (found && held) await testLease.release(row, held);
      if (found) return { found };
      if (!held) await this.#requireActiveCredential(tenantId, credentialId);
      return held;
    };
    const times = { deadline: performance.now() + ACQUIRE_TIMEOUT_MS, intervalMs: POLL_INTERVAL_MS };
    const acquired = await pollUntil(attempt, times);
    if (acquired) return acquired;
    throw new AppError('CONFLICT', 'A test of this credential is still running. Try again in a minute.');
  }

  async #latest(tenantId: string, credentialId: string): Promise<Validation | undefined> {
    return (await this.#reader(tenantId).latest(CredentialValidation, 'credential', credentialId, 1))[0];
  }

  async #requireActiveCredential(tenantId: string, credentialId: string): Promise<void> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    if (!credential || credential.status === 'revoked') throw new InactiveCredentialError('unknown');
    if (credential.status === 'superseded') throw new InactiveCredentialError('superseded');
  }

  async #runTest(tenantId: string, credentialId: string, requestId: string) {
    const { secrets, sendFor, sourceLimits, report } = this.services;
    const connection = await loadConnection(this.#reader(tenantId), secrets, tenantId, credentialId);
    const sessions = this.#sessionOf(tenantId, credentialId);
    const throttle = sourceLimits.throttleOf(connection, tenantId);
    const options = { throttle, onInternalError: (error: unknown) => report(error, requestId) };
    return testCredential(connection, sessions, sendFor(requestId), options);
  }

  async #record(
    data: ClaimedCredentialTest,
    requestId: string,
    outcome: Awaited<ReturnType<typeof testCredential>>,
  ): Promise<Validation> {
    const { em, tables, jobs } = this.services;
    const id = await writeAsCaller(em, tables, systemCaller(data.tenantId), requestId, (tx) =>
      recordTestOutcome(tx, jobs, data, outcome),
    );
    return (await this.#reader(data.tenantId).byId(CredentialValidation, id)) as Validation;
  }

  async #isInboundCredential({ tenantId, credentialId }: CredentialTestData): Promise<boolean> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    return Boolean(credential?.inboundAuthStrategy);
  }

  /** An inbound credential has no source to call, so only a delivery proves that the credential works. */
  async #recordSenderStatus(
    { tenantId, credentialId, trigger }: CredentialTestData,
    requestId: string,
  ): Promise<Validation> {
    const { em, tables } = this.services;
    const id = await writeAsCaller(em, tables, systemCaller(tenantId), requestId, (tx) =>
      recordSenderStatus(tx, credentialId, trigger),
    );
    return (await this.#reader(tenantId).byId(CredentialValidation, id)) as Validation;
  }

  #row(tenantId: string, id: string): LeasedRow {
    return { tenantId, id, query: (...statement) => this.#reader(tenantId).rows(...statement) };
  }

  #reader(tenantId: string): Reader {
    return this.services.readers.forTenant(tenantId);
  }
}
