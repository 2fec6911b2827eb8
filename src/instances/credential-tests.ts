import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Readers } from '../kernel/readers.js';
import type { Lean, Reader } from '../kernel/reading.js';
import type { Tables } from '../kernel/tables.js';
import { inTenant } from '../kernel/transaction.js';
import type { SecretStore } from '../secrets/secret-store.js';
import type { KeptSession } from '../sources/session.js';
import type { SendFor } from '../sources/source-request.js';
import { testCredential } from '../sources/test-credential.js';
import { systemCaller, type WorkspaceTransaction, writeAs } from '../tenancy/workspace-transaction.js';
import { CredentialGone } from './credential-gone.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialSession } from './credential-session.js';
import { type CredentialTestData, credentialTestQueue } from './credential-test-job.js';
import { CredentialValidation } from './credential-validation.js';
import { loadConnection } from './load-connection.js';
import { type ClaimedTest, recordFinding } from './record-finding.js';
import { recordSenderState } from './sender-proof.js';
import type { SourceLimits } from './source-limits.js';
import type { VendorRequestLimit } from './vendor-request-limit.js';

export interface CredentialTestsParts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly jobs: Jobs;
  readonly sourceLimits: SourceLimits;
  readonly requestLimit: VendorRequestLimit;
  /** Of what went wrong on our side; callers are told that it did, and nothing of it. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** Longer than a test can take. */
const CLAIM = '60 seconds';

/** Milliseconds that a second caller waits for the test that is under way; then a process that died has lost its claim. */
const PATIENCE = 65_000;
const PAUSE = 200;

const TAKE_CLAIM = `
update credential_metadata set tested_until = now() + interval '${CLAIM}',
  status = case status when 'pending' then 'validating' else status end
where tenant_id = $1 and id = $2 and status not in ('superseded', 'revoked')
  and (tested_until is null or tested_until < now())
returning tested_until`;

const RELEASE_CLAIM =
  'update credential_metadata set tested_until = null where tenant_id = $1 and id = $2 and tested_until = $3';

type Validation = Lean<CredentialValidation>;

/** Either the test is ours to make, until a time that names our claim; or it was another process's, which found this. */
type Turn = { readonly until: string } | { readonly found: Validation };

/** Tests credentials: one test at a time of each, however many ask. */
export class CredentialTests {
  /** By workspace and credential: whoever knows the id alone is not to be told. */
  readonly #underWay = new Map<string, Promise<Validation>>();
  readonly #sessions = new Map<string, Promise<KeptSession>>();

  constructor(private readonly parts: CredentialTestsParts) {}

  /** Has a new credential tested once the transaction is through. Before somebody has signed in there is nothing to test. */
  async enqueue({ em, caller }: WorkspaceTransaction, { id, status }: CredentialMetadata): Promise<void> {
    if (status !== 'pending') return;
    const data = { tenantId: caller.tenantId, credentialId: id, trigger: 'submitted' } as const;
    await this.parts.jobs.enqueue(em, credentialTestQueue, data);
  }

  /** What the test found; who asks while one is under way is given what that one finds. */
  async test(data: CredentialTestData, requestId: string): Promise<Validation> {
    const name = `${data.tenantId} ${data.credentialId}`;
    const others = this.#underWay.get(name);
    if (others) return others;
    const mine = this.#test(data, requestId).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, mine);
    return mine;
  }

  /**
   * The same for a job. It has nothing to do where the credential was replaced or taken back since it was put into the queue, and
   * puts itself off where the workspace has had its tests for the minute: each submission is one, and could be a guess.
   */
  async testLater(data: CredentialTestData, jobId: string): Promise<void> {
    const { em, tables, jobs, requestLimit } = this.parts;
    if (await this.#isNeedless(data)) return;
    const wait = await requestLimit.secondsToWait(data.tenantId);
    if (wait > 0) {
      const later = { startAfter: new Date(Date.now() + wait * 1_000 * (1 + Math.random())) };
      await inTenant(em, tables, data.tenantId, (tx) => jobs.enqueue(tx.em, credentialTestQueue, data, later));
      return;
    }
    await this.test(data, jobId).catch((error: unknown) => {
      if (!(error instanceof CredentialGone)) throw error;
    });
  }

  /** Whoever was refused since it was put into the queue is left alone: more tries would lock accounts at the source. */
  async #isNeedless({ tenantId, credentialId, trigger }: CredentialTestData): Promise<boolean> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    return trigger === 'periodic' && (credential?.status === 'invalid' || credential?.status === 'expired');
  }

  #sessionOf(tenantId: string, credentialId: string): CredentialSession {
    const { readers, secrets } = this.parts;
    return new CredentialSession(() => readers.ofTenant(tenantId), secrets, tenantId, credentialId, this.#sessions);
  }

  async #test(data: CredentialTestData, requestId: string): Promise<Validation> {
    const { tenantId, credentialId } = data;
    if (await this.#isOfSenders(data)) return this.#recordSenderState(data, requestId);
    const turn = await this.#claimOrAwait(tenantId, credentialId);
    if ('found' in turn) return turn.found;
    try {
      const finding = await this.#find(tenantId, credentialId, requestId);
      return await this.#record({ ...data, claim: turn.until }, requestId, finding);
    } catch (error) {
      await this.#release(tenantId, credentialId, turn.until).catch(() => undefined);
      throw error;
    }
  }

  async #claimOrAwait(tenantId: string, credentialId: string): Promise<Turn> {
    const before = await this.#latest(tenantId, credentialId);
    for (const until = performance.now() + PATIENCE; performance.now() < until; await sleep(PAUSE)) {
      const [claimed] = await this.#reader(tenantId).rows(TAKE_CLAIM, ids(tenantId, credentialId));
      const claim = claimed?.[0] as string | undefined;
      // After the claim: it becomes free in the transaction that stores the result of the other test.
      const latest = await this.#latest(tenantId, credentialId);
      const found = latest?.id === before?.id ? undefined : latest;
      if (found && claim) await this.#release(tenantId, credentialId, claim);
      if (found) return { found };
      if (claim) return { until: claim };
      await this.#requireUse(tenantId, credentialId);
    }
    throw new AppError('CONFLICT', 'A test of this credential is still under way.');
  }

  async #release(tenantId: string, credentialId: string, claim: string): Promise<void> {
    await this.#reader(tenantId).rows(RELEASE_CLAIM, [...ids(tenantId, credentialId), claim]);
  }

  async #latest(tenantId: string, credentialId: string): Promise<Validation | undefined> {
    return (await this.#reader(tenantId).latest(CredentialValidation, 'credential', credentialId, 1))[0];
  }

  async #requireUse(tenantId: string, credentialId: string): Promise<void> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    if (!credential || credential.status === 'revoked') throw new CredentialGone('unknown');
    if (credential.status === 'superseded') throw new CredentialGone('superseded');
  }

  async #find(tenantId: string, credentialId: string, requestId: string) {
    const { secrets, sendFor, sourceLimits, report } = this.parts;
    const connection = await loadConnection(this.#reader(tenantId), secrets, tenantId, credentialId);
    const sessions = this.#sessionOf(tenantId, credentialId);
    const throttle = sourceLimits.throttleOf(connection, tenantId);
    const options = { throttle, report: (error: unknown) => report(error, requestId) };
    return testCredential(connection, sessions, sendFor(requestId), options);
  }

  async #record(
    data: ClaimedTest,
    requestId: string,
    finding: Awaited<ReturnType<typeof testCredential>>,
  ): Promise<Validation> {
    const { em, tables, jobs } = this.parts;
    const id = await writeAs(em, tables, systemCaller(data.tenantId), requestId, (tx) =>
      recordFinding(tx, jobs, data, finding),
    );
    return (await this.#reader(data.tenantId).byId(CredentialValidation, id)) as Validation;
  }

  async #isOfSenders({ tenantId, credentialId }: CredentialTestData): Promise<boolean> {
    const credential = await this.#reader(tenantId).byId(CredentialMetadata, credentialId);
    return Boolean(credential?.inboundAuthStrategy);
  }

  /** There is nobody to call: deliveries alone tell. */
  async #recordSenderState(
    { tenantId, credentialId, trigger }: CredentialTestData,
    requestId: string,
  ): Promise<Validation> {
    const { em, tables } = this.parts;
    const id = await writeAs(em, tables, systemCaller(tenantId), requestId, (tx) =>
      recordSenderState(tx, credentialId, trigger),
    );
    return (await this.#reader(tenantId).byId(CredentialValidation, id)) as Validation;
  }

  #reader(tenantId: string): Reader {
    return this.parts.readers.ofTenant(tenantId);
  }
}

function ids(tenantId: string, credentialId: string): unknown[] {
  return [decodeId(tenantId), decodeId(credentialId)];
}
