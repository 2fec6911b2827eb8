import type { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import type { CredentialStatus } from './credential-status.js';
import type { SyncState } from './sync-state.js';

export const TenantConnectorStatus = wireEnum('TenantConnectorStatus', 'How a connection is.', {
  disabled: 'Disabled, or none of its taps is enabled.',
  sync_failed: 'The last sync failed.',
  manual_validation_required: 'Somebody has to sign in with the vendor, or to set up the sender.',
  validation_pending: 'The credentials have not been tested to the end.',
  initial_syncing: 'The first sync is under way.',
  update_syncing: 'A sync is under way.',
  sync_queued: 'A sync waits for its turn.',
  idle: 'All is well; the next sync is awaited.',
  sync_partial_success: 'The last sync read some of the taps.',
  transform_quality_degraded: 'A table fails a quality gate.',
  schedule_paused: 'Syncs are paused.',
  config_invalid: 'The configuration names something that does not exist.',
  credential_error: 'The source refuses the credentials.',
  internal_error: 'The service or its runner failed.',
  ingestion_stale: 'Nothing has been read for long.',
});
export type TenantConnectorStatus = keyof typeof TenantConnectorStatus;

/** All that the status of a connection depends on. */
export interface ConnectionState {
  readonly enabled: boolean;
  readonly schedulePaused: boolean;
  /** A table of its taps fails a gate of quality. */
  readonly isDegraded: boolean;
  /** The current one; none where the connector wants none. */
  readonly credential: CredentialState | undefined;
  /** What to do next about that, in a sentence or two; undefined where nothing is wrong. */
  readonly remediation?: string | undefined;
  /** It is sent to, and nobody has said yet what senders are verified with. */
  readonly lacksSecrets: boolean;
  /** Deleted ones too: a connection whose taps were all deleted is disabled, one whose connector has none is not. */
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

/** A job that nobody has reported on for this long is not believed to run. */
const JOB_REPORT_TIMEOUT_MS = DAY_MS;

/** A connection that was read once and has not been for this long is stale. */
const STALE_AFTER_MS = 7 * DAY_MS;

type StatusRule = readonly [TenantConnectorStatus, (facts: ConnectionState, now: number) => boolean, message: string];

/** The first that fits wins. */
const STATUS_RULES: readonly StatusRule[] = [
  [
    'internal_error',
    ({ credential, sync }) => credential?.errorCode === 'internal_error' || sync.finished?.errorCode === 'runner_error',
    'Something failed on our side. It will be tried again; tell your administrator if it stays.',
  ],
  [
    'disabled',
    ({ enabled, taps }) => !enabled || (taps.length > 0 && !taps.some((tap) => tap.enabled && !tap.deletedAt)),
    'The connection is disabled, or none of its taps is enabled. Enable the connection, or enable or add a tap.',
  ],
  [
    'config_invalid',
    ({ credential }) => credential?.errorCode === 'config_invalid',
    'The configuration names something that does not exist. Check it and enter it again.',
  ],
  [
    'credential_error',
    ({ credential }, now) => isRefused(credential, now),
    'The source refuses the credentials. Enter new ones, or sign in again.',
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
  ['schedule_paused', ({ schedulePaused }) => schedulePaused, 'Syncs are paused. Resume the schedule to go on.'],
  [
    'initial_syncing',
    ({ sync }, now) => isRunning(sync, now) && sync.running?.isInitial === true,
    'The first sync is under way.',
  ],
  ['update_syncing', ({ sync }, now) => isRunning(sync, now), 'A sync is under way.'],
  ['sync_queued', ({ sync }) => sync.isQueued, 'A sync waits for its turn.'],
  [
    'sync_failed',
    ({ sync }) => sync.finished?.status === 'failed',
    'The last sync failed. See its message, then start another.',
  ],
  [
    'sync_partial_success',
    ({ sync }) => sync.finished?.status === 'partial_success',
    'The last sync read some of the taps. See its message for the others.',
  ],
  [
    'transform_quality_degraded',
    ({ isDegraded, sync }) => isDegraded || sync.finished?.qualityDegraded === true,
    'A table fails a quality gate. Look at the quality of its tables.',
  ],
  [
    'ingestion_stale',
    ({ sync }, now) => sync.succeededAt !== undefined && Date.parse(sync.succeededAt) < now - STALE_AFTER_MS,
    'Nothing has been read for a week. Check that the runner works.',
  ],
];

/** Of these, the record itself may say more. */
const CREDENTIAL_STATUSES: readonly TenantConnectorStatus[] = [
  'config_invalid',
  'credential_error',
  'manual_validation_required',
  'validation_pending',
];

const IDLE = ['idle', 'All is well.'] as const;

/** Pure: the same facts at the same time, in milliseconds since 1970, give the same status. */
export function connectionStatusOf(
  facts: ConnectionState,
  now: number,
): { status: TenantConnectorStatus; message: string } {
  const rule = STATUS_RULES.find(([, fits]) => fits(facts, now));
  const [status, , message] = rule ?? [IDLE[0], undefined, IDLE[1]];
  const told = credentialMessage(status, facts) ?? message;
  const missing = missingScopesMessage(facts.credential?.missingScopes ?? []);
  if (missing === undefined) return { status, message: told };
  return { status, message: status === 'idle' ? missing : `${told} ${missing}` };
}

/** Names of scopes that a message lists. */
const MAX_LISTED_SCOPES = 10;

function missingScopesMessage(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return undefined;
  const more = scopes.length > MAX_LISTED_SCOPES ? ` and ${scopes.length - MAX_LISTED_SCOPES} more` : '';
  const names = scopes.slice(0, MAX_LISTED_SCOPES).join(', ') + more;
  return `Scopes that the source did not grant: ${names}. Grant them at the vendor, then sign in or test the credentials again.`;
}

/** While the current credential is valid and not past its expiry. Without a need for one, always. */
export function hasValidCredentials(
  { credential, lacksSecrets }: Pick<ConnectionState, 'credential' | 'lacksSecrets'>,
  now: number,
): boolean {
  if (!credential) return !lacksSecrets;
  return credential.status === 'valid' && !hasExpired(credential, now);
}

/** What the test of the credential found, and what to do about it, says more than a general sentence. */
function credentialMessage(
  status: TenantConnectorStatus,
  { credential, remediation: remedy }: ConnectionState,
): string | undefined {
  if (!CREDENTIAL_STATUSES.includes(status) || credential?.status === 'valid' || !credential?.message) return undefined;
  return remedy ? `${credential.message} ${remedy}` : credential.message;
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
