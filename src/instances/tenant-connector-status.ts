import type { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import type { CredentialStatus } from './credential-status.js';
import type { SyncState } from './sync-state.js';

export const TenantConnectorStatus = wireEnum('TenantConnectorStatus', 'Status of a connection.', {
  disabled: 'The connection is disabled, or all its taps are disabled or deleted.',
  sync_failed: 'The last sync failed.',
  manual_validation_required:
    'Action required: sign in with the vendor, enter the credentials again, or set up the sender and trigger its first delivery.',
  validation_pending: 'The test of the credentials has not finished.',
  initial_syncing: 'A sync is in progress, and no earlier sync has succeeded.',
  update_syncing: 'A sync is in progress, and an earlier sync has succeeded.',
  sync_queued: 'A sync is queued.',
  idle: 'The connection has no known problem, and no sync is in progress.',
  sync_partial_success: 'The last sync failed for some taps, and read or skipped the others.',
  transform_quality_degraded:
    'A table of the connection fails a GATE_2 check, a quality gate rejected rows of the last sync, or the last report of an external runner contains a failed quality check.',
  schedule_paused: 'Scheduled syncs are paused.',
  config_invalid: 'The configuration is invalid, or names an account or object that does not exist at the source.',
  credential_error: 'The source rejects the credentials, or the credentials lack permissions or have expired.',
  internal_error: 'The latest credential test or sync failed with an internal error.',
  ingestion_stale: 'A sync has succeeded earlier, but no sync has succeeded in the last 7 days.',
});
export type TenantConnectorStatus = keyof typeof TenantConnectorStatus;

export interface ConnectionState {
  readonly enabled: boolean;
  readonly schedulePaused: boolean;
  readonly isDegraded: boolean;
  /** Undefined if the connection has no current credential. */
  readonly credential: CredentialState | undefined;
  /** Set even if the test was inconclusive. Undefined if the source has rejected the credential. */
  readonly latestTestErrorCode?: ValidationErrorCode | undefined;
  /** Undefined if there is no problem. */
  readonly remediation?: string | undefined;
  /** Whether the connection is inbound and has no strategy yet. */
  readonly lacksSecrets: boolean;
  /**
   * Includes deleted taps: a connection whose taps are all deleted is disabled, but a connection without taps is not.
   */
  readonly taps: readonly { readonly enabled: boolean; readonly deletedAt?: string | null | undefined }[];
  readonly sync: SyncState;
}

export interface CredentialState {
  readonly status: CredentialStatus;
  readonly errorCode?: ValidationErrorCode | null | undefined;
  readonly message?: string | null | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | null | undefined;
  readonly missingScopes?: readonly string[] | null | undefined;
}

const DAY_MS = 24 * 3_600_000;

/** A job no longer counts as running if its latest report is older than this time. */
export const JOB_REPORT_TIMEOUT_MS = DAY_MS;

/** A connection is stale if its latest successful sync is older than this time. */
export const STALE_AFTER_MS = 7 * DAY_MS;

/** Every status except `idle`, which applies if no rule matches. */
export type RuledStatus = Exclude<TenantConnectorStatus, 'idle'>;

type StatusRule = readonly [RuledStatus, (facts: ConnectionState, now: number) => boolean, message: string];

/** The first matching rule applies. */
const STATUS_RULES: readonly StatusRule[] = [
  [
    'internal_error',
    ({ latestTestErrorCode, sync }) =>
      latestTestErrorCode === 'internal_error' || sync.finished?.errorCode === 'runner_error',
    'The latest credential test or sync failed with an internal error. If the error persists, contact the service operator.',
  ],
  [
    'disabled',
    ({ enabled, taps }) => !enabled || (taps.length > 0 && !taps.some((tap) => tap.enabled && !tap.deletedAt)),
    'The connection is disabled, or none of its taps is enabled. Enable the connection, enable a tap, or add a tap.',
  ],
  [
    'config_invalid',
    ({ credential }) => credential?.errorCode === 'config_invalid',
    'The configuration is invalid, or names an account or object that does not exist at the source. Correct the configuration and submit it again.',
  ],
  [
    'credential_error',
    ({ credential }, now) => isRefused(credential, now),
    'The credentials have expired, the source rejects them, or they lack permissions. Enter new credentials, or sign in with the vendor again.',
  ],
  [
    'manual_validation_required',
    ({ credential, lacksSecrets }) => lacksSecrets || credential?.status === 'manual_validation_required',
    'Choose how senders are verified, and enter the secret if the strategy has one. Until then, deliveries are rejected.',
  ],
  [
    'validation_pending',
    ({ credential }) => credential?.status === 'pending' || credential?.status === 'validating',
    'The credentials are being tested.',
  ],
  [
    'schedule_paused',
    ({ schedulePaused }) => schedulePaused,
    'Scheduled syncs are paused. Resume the schedule to continue.',
  ],
  [
    'initial_syncing',
    ({ sync }, now) => isRunning(sync, now) && sync.running?.isInitial === true,
    'A sync is in progress. No sync of the connection has succeeded yet.',
  ],
  ['update_syncing', ({ sync }, now) => isRunning(sync, now), 'A sync is in progress.'],
  ['sync_queued', ({ sync }) => sync.isQueued, 'A sync is queued.'],
  [
    'sync_failed',
    ({ sync }) => sync.finished?.status === 'failed',
    'The last sync failed. Check the error message of the sync, then start another sync.',
  ],
  [
    'sync_partial_success',
    ({ sync }) => sync.finished?.status === 'partial_success',
    'The last sync failed for some taps. Check the error message of the sync.',
  ],
  [
    'transform_quality_degraded',
    ({ isDegraded, sync }) => isDegraded || sync.finished?.qualityDegraded === true,
    'A quality check failed. Check the quality results of the tables.',
  ],
  [
    'ingestion_stale',
    ({ sync }, now) => sync.succeededAt !== undefined && Date.parse(sync.succeededAt) < now - STALE_AFTER_MS,
    'No sync has succeeded for 7 days. Check the schedule and the latest syncs of the connection. If an external runner reads the connection, check the runner.',
  ],
];

export const STATUSES_BY_PRECEDENCE: readonly RuledStatus[] = STATUS_RULES.map(([status]) => status);

/** Statuses for which the message of the credential replaces the default message. */
const CREDENTIAL_STATUSES: readonly TenantConnectorStatus[] = [
  'config_invalid',
  'credential_error',
  'manual_validation_required',
  'validation_pending',
];

const IDLE = ['idle', 'The connection has no known problem.'] as const;

/** `now` is in milliseconds since 1970. */
export function connectionStatusOf(
  facts: ConnectionState,
  now: number,
): { status: TenantConnectorStatus; message: string } {
  const rule = STATUS_RULES.find(([, fits]) => fits(facts, now));
  const [status, , message] = rule ?? [IDLE[0], undefined, IDLE[1]];
  const description = credentialMessage(status, facts) ?? message;
  const missing = missingScopesMessage(facts.credential?.missingScopes ?? []);
  if (missing === undefined) return { status, message: description };
  return { status, message: status === 'idle' ? missing : `${description} ${missing}` };
}

const MAX_LISTED_SCOPES = 10;

function missingScopesMessage(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return undefined;
  const more = scopes.length > MAX_LISTED_SCOPES ? ` and ${scopes.length - MAX_LISTED_SCOPES} more` : '';
  const names = scopes.slice(0, MAX_LISTED_SCOPES).join(', ') + more;
  return `The source did not grant these scopes: ${names}. Grant them at the vendor, then sign in or test the credentials again.`;
}

/** Also returns true if the connector takes no credentials. */
export function hasValidCredentials(
  { credential, lacksSecrets }: Pick<ConnectionState, 'credential' | 'lacksSecrets'>,
  now: number,
): boolean {
  if (!credential) return !lacksSecrets;
  return credential.status === 'valid' && !hasExpired(credential, now);
}

function credentialMessage(
  status: TenantConnectorStatus,
  { credential, remediation }: ConnectionState,
): string | undefined {
  if (!CREDENTIAL_STATUSES.includes(status) || credential?.status === 'valid' || !credential?.message) return undefined;
  return remediation ? `${credential.message} ${remediation}` : credential.message;
}

function isRefused(credential: CredentialState | undefined, now: number): boolean {
  if (!credential) return false;
  if (credential.status === 'valid') return hasExpired(credential, now);
  return credential.status === 'invalid' || credential.status === 'expired' || credential.status === 'revoked';
}

function hasExpired({ expiresAt }: CredentialState, now: number): boolean {
  return Boolean(expiresAt) && Date.parse(expiresAt as string) <= now;
}

function isRunning({ running }: SyncState, now: number): boolean {
  return running !== undefined && Date.parse(running.reportedAt) > now - JOB_REPORT_TIMEOUT_MS;
}
