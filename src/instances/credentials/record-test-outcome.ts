import { LockMode, type Ref, ref } from '@mikro-orm/core';
import type { AuthMethodType } from '../../catalog/model/auth-method-configs.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import type { Jobs } from '../../kernel/jobs/jobs.js';
import { remediationOf } from '../../sources/responses/remediation.js';
import type { TestOutcome } from '../../sources/responses/test-outcome.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { type CredentialStatus, isRetired } from '../credential-status.js';
import { CredentialValidation } from '../credential-validation.js';
import { type CredentialTestData, credentialTestQueue } from './credential-test-job.js';
import { validCredentialQueue } from './valid-credential-job.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface ClaimedCredentialTest extends CredentialTestData {
  /** End of the test's lease, in PostgreSQL's text format. The end identifies the lease. */
  readonly claim: string;
}

/** Returns the id of the `CredentialValidation`. */
export async function recordTestOutcome(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  data: ClaimedCredentialTest,
  outcome: TestOutcome,
): Promise<string> {
  const { credentialId, trigger } = data;
  // Without the lock, the update could overwrite a concurrent submission.
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const credential = await tx.em.findOneOrFail(CredentialMetadata, { id: credentialId }, options);
  const strategy = await tx.em.findOneOrFail(
    ConnectorAuthStrategy,
    (credential.strategy as Ref<ConnectorAuthStrategy>).id,
  );
  const entry = tx.create(CredentialValidation, {
    ...{ credential: ref(credential), trigger, status: outcome.status, message: outcome.message },
    ...(outcome.errorCode && { errorCode: outcome.errorCode }),
    details: detailsOf(outcome, strategy.type),
  });
  if (isRetired(credential)) return entry.id;

  const before = credential.status;
  const status = statusAfter(before, outcome);
  if (status !== before) tx.recordAudit('credential.tested', credential, { from: before, to: status });
  tx.update(credential, {
    status,
    ...reasonOf(status, outcome),
    validatedAt: entry.validatedAt,
    ...(Number(credential.testedUntil) === Date.parse(data.claim) && { testedUntil: null as never }),
    ...(outcome.status === 'valid' && knownDetails(outcome)),
  });
  if (status === 'valid' && status !== before) await announceValidCredential(tx, jobs, data);
  const next = nextTest(data, outcome);
  if (next) await jobs.enqueue(tx.em, credentialTestQueue, next.data, { startAfter: next.at, key: credentialId });
  return entry.id;
}

async function announceValidCredential(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  { tenantId, credentialId }: CredentialTestData,
): Promise<void> {
  const credential = await tx.read.byId(CredentialMetadata, credentialId);
  if (credential) await jobs.enqueue(tx.em, validCredentialQueue, { tenantId, instanceId: credential.instance });
}

/**
 * An inconclusive test keeps the error code and message of the latest conclusive test. Before the first conclusive
 * test, it sets only the message.
 */
function reasonOf(statusAfterTest: CredentialStatus, outcome: TestOutcome): Partial<CredentialMetadata> {
  const { status, errorCode, message } = outcome;
  if (status !== 'inconclusive') return { errorCode: (errorCode ?? null) as never, message };
  return statusAfterTest === 'pending' ? { message } : {};
}

function knownDetails({ expiresAt, identity, grantedScopes, missingScopes }: TestOutcome): Partial<CredentialMetadata> {
  return {
    expiresAt: (expiresAt === undefined ? null : new Date(expiresAt)) as never,
    identity: (identity ?? null) as never,
    grantedScopes: (grantedScopes ?? null) as never,
    missingScopes: (missingScopes ?? null) as never,
  };
}

/** After an inconclusive test, the credential returns to its status from before the test. */
function statusAfter(before: CredentialStatus, { status }: TestOutcome): CredentialStatus {
  if (status !== 'inconclusive') return status;
  return before === 'validating' ? 'pending' : before;
}

function detailsOf(outcome: TestOutcome, method: AuthMethodType): Record<string, unknown> {
  const { identity, grantedScopes, missingScopes, httpStatus } = outcome;
  const remediation = remediationOf(outcome, method);
  const all = { identity, grantedScopes, missingScopes, httpStatus, remediation };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * A valid credential is tested again after a day. An inconclusive test is repeated with exponential backoff. A rejected
 * credential is not tested again, because repeated tests could lock the account at the source.
 */
function nextTest(
  { tenantId, credentialId, inconclusive = 0 }: CredentialTestData,
  { status, retryAfter = 0 }: TestOutcome,
): { data: CredentialTestData; at: Date } | undefined {
  const data = { tenantId, credentialId, trigger: 'periodic' } as const;
  const in_ = (milliseconds: number): Date => new Date(Date.now() + milliseconds * (0.9 + 0.2 * Math.random()));
  if (status === 'valid') return { data, at: in_(DAY_MS) };
  if (status !== 'inconclusive') return undefined;
  const wait = Math.min(MINUTE_MS * 2 ** Math.min(inconclusive, 10), DAY_MS);
  return { data: { ...data, inconclusive: inconclusive + 1 }, at: in_(Math.max(wait, retryAfter)) };
}
