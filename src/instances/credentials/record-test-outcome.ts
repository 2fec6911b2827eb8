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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A test that was claimed until a time, as PostgreSQL writes it, which tells this claim from a later one. */
export interface ClaimedCredentialTest extends CredentialTestData {
  readonly claim: string;
}

/** Keeps what a test found: in the history always, on the record while it is the current one. Returns the id of the entry. */
export async function recordTestOutcome(
  tx: WorkspaceTransaction,
  jobs: Jobs,
  data: ClaimedCredentialTest,
  finding: TestOutcome,
): Promise<string> {
  const { credentialId, trigger } = data;
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE } as const; // or a later submission would be overwritten
  const credential = await tx.em.findOneOrFail(CredentialMetadata, { id: credentialId }, options);
  const strategy = await tx.em.findOneOrFail(
    ConnectorAuthStrategy,
    (credential.strategy as Ref<ConnectorAuthStrategy>).id,
  );
  const entry = tx.create(CredentialValidation, {
    ...{ credential: ref(credential), trigger, status: finding.status, message: finding.message },
    ...(finding.errorCode && { errorCode: finding.errorCode }),
    details: detailsOf(finding, strategy.type),
  });
  if (isRetired(credential)) return entry.id;

  const status = statusAfter(credential.status, finding);
  if (status !== credential.status)
    tx.recordAudit('credential.tested', credential, { from: credential.status, to: status });
  tx.update(credential, {
    status,
    ...(!keepsRefusal(credential, finding) && reasonOf(finding)),
    validatedAt: entry.validatedAt,
    ...(Number(credential.testedUntil) === Date.parse(data.claim) && { testedUntil: null as never }),
    ...(finding.status === 'valid' && knownDetails(finding)),
  });
  const next = nextTest(data, finding);
  if (next) await jobs.enqueue(tx.em, credentialTestQueue, next.data, { startAfter: next.at, key: credentialId });
  return entry.id;
}

function reasonOf({ errorCode, message }: TestOutcome): Partial<CredentialMetadata> {
  return { errorCode: (errorCode ?? null) as never, message };
}

/** A source that is down says nothing about why it refused, and what to do is still the same. */
function keepsRefusal(credential: CredentialMetadata, { status }: TestOutcome): boolean {
  return status === 'inconclusive' && (credential.status === 'invalid' || credential.status === 'expired');
}

function knownDetails({ expiresAt, identity, grantedScopes, missingScopes }: TestOutcome): Partial<CredentialMetadata> {
  return {
    expiresAt: (expiresAt === undefined ? null : new Date(expiresAt)) as never,
    identity: (identity ?? null) as never,
    grantedScopes: (grantedScopes ?? null) as never,
    missingScopes: (missingScopes ?? null) as never,
  };
}

/** What could not be told overturns nothing. */
function statusAfter(before: CredentialStatus, { status }: TestOutcome): CredentialStatus {
  if (status !== 'inconclusive') return status;
  return before === 'validating' ? 'pending' : before;
}

function detailsOf(finding: TestOutcome, method: AuthMethodType): Record<string, unknown> {
  const { identity, grantedScopes, missingScopes, httpStatus } = finding;
  const remediation = remediationOf(finding, method);
  const all = { identity, grantedScopes, missingScopes, httpStatus, remediation };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * A good credential is tested once a day, and what could not be told soon, then less and less often. A refused one is left alone: more
 * tries would lock accounts at the source.
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
