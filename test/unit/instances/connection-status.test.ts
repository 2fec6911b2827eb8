import { describe, expect, it } from 'vitest';
import type { SyncState } from '../../../src/instances/sync-state.js';
import {
  type ConnectionState,
  type CredentialState,
  connectionStatusOf,
  hasValidCredentials,
  TenantConnectorStatus,
} from '../../../src/instances/tenant-connector-status.js';

const NOW = Date.parse('2026-02-01T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ago = (milliseconds: number): string => new Date(NOW - milliseconds).toISOString();

const credential = (facts: Partial<CredentialState> = {}): CredentialState => ({ status: 'valid', ...facts });
const sync = (state: Partial<SyncState> = {}): SyncState => ({ isQueued: false, ...state });
const running = (isInitial: boolean, since = MINUTE): SyncState =>
  sync({ running: { isInitial, reportedAt: ago(since) } });
const finished = (
  status: NonNullable<SyncState['finished']>['status'],
  more: Partial<NonNullable<SyncState['finished']>> = {},
): SyncState => sync({ finished: { status, qualityDegraded: false, ...more } });

const ALL_WELL: ConnectionState = {
  enabled: true,
  schedulePaused: false,
  credential: credential(),
  lacksSecrets: false,
  taps: [{ enabled: true }, { enabled: false }],
  isDegraded: false,
  sync: sync({ succeededAt: ago(DAY) }),
};

/** A state for each status. Each line takes precedence over all lines below it. */
const TABLE: readonly (readonly [TenantConnectorStatus, Partial<ConnectionState>])[] = [
  ['internal_error', { latestTestErrorCode: 'internal_error' }],
  ['disabled', { enabled: false }],
  ['config_invalid', { credential: credential({ status: 'invalid', errorCode: 'config_invalid' }) }],
  ['credential_error', { credential: credential({ status: 'invalid', errorCode: 'auth_failed' }) }],
  ['manual_validation_required', { credential: credential({ status: 'manual_validation_required' }) }],
  ['validation_pending', { credential: credential({ status: 'pending' }) }],
  ['schedule_paused', { schedulePaused: true }],
  ['initial_syncing', { sync: running(true) }],
  ['update_syncing', { sync: running(false) }],
  ['sync_queued', { sync: sync({ isQueued: true }) }],
  ['sync_failed', { sync: finished('failed') }],
  ['sync_partial_success', { sync: finished('partial_success') }],
  ['transform_quality_degraded', { sync: finished('succeeded', { qualityDegraded: true }) }],
  ['ingestion_stale', { sync: sync({ succeededAt: ago(8 * DAY) }) }],
  ['idle', {}],
];

const statusOf = (facts: Partial<ConnectionState>): TenantConnectorStatus =>
  connectionStatusOf({ ...ALL_WELL, ...facts }, NOW).status;

/** Returns undefined if no connection can be in both states at the same time. */
function both(one: Partial<ConnectionState>, other: Partial<ConnectionState>): Partial<ConnectionState> | undefined {
  if (one.credential && other.credential) return undefined;
  const syncs = [one.sync, other.sync].filter((state) => state !== undefined);
  if (syncs.filter((state) => state.running || state.finished).length > 1 && syncs.every((s) => s.running))
    return undefined;
  if (syncs.every((state) => state.finished) && syncs.length === 2) return undefined;
  return {
    ...other,
    ...one,
    ...(syncs.length && {
      sync: Object.assign({}, ...syncs.map((s) => ({ ...s })), {
        isQueued: syncs.some(({ isQueued }) => isQueued),
      }) as SyncState,
    }),
  };
}

describe('the status of a connection', () => {
  it('has a test state for each of the 15 values', () => {
    expect(TABLE.map(([status]) => status).sort()).toEqual(Object.keys(TenantConnectorStatus).sort());
  });

  it.each(TABLE)('is %s', (status, facts) => {
    expect(statusOf(facts)).toBe(status);
  });

  it('follows the order of precedence if several states apply', () => {
    const pairs = TABLE.flatMap(([status, facts], at) =>
      TABLE.slice(at + 1).map(([, lower]) => [status, both(facts, lower)] as const),
    ).filter(([, facts]) => facts !== undefined);
    expect(pairs.length).toBeGreaterThan(80);
    for (const [status, facts] of pairs) expect([status, statusOf(facts as ConnectionState)]).toEqual([status, status]);
  });

  it.each([
    ['a failure of the runner', { sync: finished('failed', { errorCode: 'runner_error' }) }, 'internal_error'],
    ['taps that are all disabled', { taps: [{ enabled: false }] }, 'disabled'],
    [
      'taps that are all deleted',
      { taps: [{ enabled: true, deletedAt: '2026-01-31T12:00:00.000Z' }, { enabled: false }] },
      'disabled',
    ],
    ['a connector without taps', { taps: [] }, 'idle'],
    ['a valid credential past its expiry', { credential: credential({ expiresAt: ago(1) }) }, 'credential_error'],
    ['a valid credential before its expiry', { credential: credential({ expiresAt: ago(-1) }) }, 'idle'],
    ['a credential with status expired', { credential: credential({ status: 'expired' }) }, 'credential_error'],
    ['a credential in its first test', { credential: credential({ status: 'validating' }) }, 'validation_pending'],
    ['a table that fails a gate', { isDegraded: true }, 'transform_quality_degraded'],
    ['a running job without a report for a day', { sync: running(false, DAY + 1) }, 'idle'],
    ['a cancelled job', { sync: finished('cancelled') }, 'idle'],
    ['a connection before its first sync', { sync: sync() }, 'idle'],
    ['a connector without credentials', { credential: undefined }, 'idle'],
    [
      'an inbound connection without a strategy that verifies senders',
      { credential: undefined, lacksSecrets: true },
      'manual_validation_required',
    ],
  ] as const)('of %s', (_, facts, status) => {
    expect(statusOf(facts as Partial<ConnectionState>)).toBe(status);
  });

  it('has a message for every status, and the message of the test for rejected credentials', () => {
    for (const [status, facts] of TABLE)
      expect([status, connectionStatusOf({ ...ALL_WELL, ...facts }, NOW).message]).toEqual([
        status,
        expect.stringMatching(/\.$/),
      ]);
    const refused = {
      credential: credential({ status: 'invalid', errorCode: 'auth_failed', message: 'Refused.' }),
      remediation: 'Enter another one.',
    } as const;
    expect(connectionStatusOf({ ...ALL_WELL, ...refused }, NOW).message).toBe('Refused. Enter another one.');
  });

  it('lists up to 10 scopes that the source did not grant, with the next step', () => {
    const messageFor = (missingScopes: string[], facts: Partial<ConnectionState> = {}) =>
      connectionStatusOf({ ...ALL_WELL, credential: credential({ missingScopes }), ...facts }, NOW).message;
    expect(messageFor([])).toBe('The connection has no known problem.');
    expect(messageFor(['read:user', 'repo'])).toMatch(
      /^The source did not grant these scopes: read:user, repo\. Grant them/,
    );
    expect(messageFor(['repo'], { schedulePaused: true })).toMatch(/paused.* did not grant .*: repo\./);
    const many = Array.from({ length: 12 }, (_, nth) => `scope-${nth}`);
    expect(messageFor(many)).toContain('scope-9 and 2 more.');
    expect(messageFor(many)).not.toContain('scope-10');
  });
});

describe('valid credentials', () => {
  it.each([
    ['valid', undefined, true],
    ['valid', ago(-MINUTE), true],
    ['valid', ago(0), false],
    ['invalid', undefined, false],
    ['pending', undefined, false],
    ['superseded', undefined, false],
  ] as const)('%s until %s: %s', (status, expiresAt, is) => {
    expect(hasValidCredentials({ credential: { status, expiresAt }, lacksSecrets: false }, NOW)).toBe(is);
  });

  it('exist for a connector without credentials, but not for an inbound connection without a strategy', () => {
    expect(hasValidCredentials({ credential: undefined, lacksSecrets: false }, NOW)).toBe(true);
    expect(hasValidCredentials({ credential: undefined, lacksSecrets: true }, NOW)).toBe(false);
  });
});
