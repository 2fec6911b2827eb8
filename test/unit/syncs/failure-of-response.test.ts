import { describe, expect, it } from 'vitest';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { buildReading, buildReply } from '../../support/tap-response.js';

const NOW = Date.UTC(2026, 0, 1);

type Reply = Parameters<typeof buildReply>[0];
type Facts = Parameters<typeof readTapResponse>[2];

function failureOf(reply: Reply, reading: Parameters<typeof buildReading>[0] = {}, facts: Facts = {}): TapReadError {
  try {
    readTapResponse(buildReading(reading), buildReply(reply), { now: NOW, ...facts });
  } catch (error) {
    return error as TapReadError;
  }
  throw new Error('nothing was thrown');
}

const child = { variables: { issueKey: 'A-1' } };

describe('the default for a status', () => {
  it.each([
    [401, 'credential', 'stop_run'],
    [402, 'permission', 'skip_tap'],
    [403, 'permission', 'skip_tap'],
    [404, 'configuration', 'fail_tap'],
    [408, 'vendor_unavailable', 'retry'],
    [429, 'rate_limited', 'wait'],
    [500, 'vendor_unavailable', 'retry'],
    [503, 'vendor_unavailable', 'retry'],
    [599, 'vendor_unavailable', 'retry'],
    [304, 'contract', 'fail_tap'],
    [400, 'contract', 'fail_tap'],
    [409, 'contract', 'fail_tap'],
    [410, 'contract', 'fail_tap'],
    [422, 'contract', 'fail_tap'],
  ])('of %i is %s, %s', (status, errorClass, action) => {
    const failure = failureOf({ status, body: { message: 'secret' } });
    expect(failure).toMatchObject({ errorClass, action, status });
    expect(failure.message).not.toContain('secret');
  });

  it.each([404, 410])('of %i skips the slice of a child, whose parent was deleted', (status) => {
    expect(failureOf({ status }, child)).toMatchObject({ errorClass: 'configuration', action: 'skip_slice' });
  });

  it('names the status that the definition does not expect', () => {
    expect(failureOf({ status: 409 }).message).toBe('The source rejects the request with status 409.');
  });
});

describe('the wait after a rate limit', () => {
  const inSeconds = (seconds: number) => NOW / 1000 + seconds;

  it.each([
    ['seconds', { 'retry-after': '30' }, undefined],
    ['an HTTP date', { 'retry-after': new Date(NOW + 30_000).toUTCString() }, undefined],
    ['a delta in the reset header', { 'x-reset': '30' }, 'X-Reset'],
    ['epoch seconds in the reset header', { 'x-reset': `${inSeconds(30)}` }, 'X-Reset'],
    ['epoch milliseconds in the reset header', { 'x-reset': `${NOW + 30_000}` }, 'X-Reset'],
    ['Retry-After before the reset header', { 'retry-after': '30', 'x-reset': '5' }, 'X-Reset'],
  ])('is read from %s', (_, headers, resetHeader) => {
    expect(failureOf({ status: 429, headers }, {}, { resetHeader }).retryAfterMs).toBe(30_000);
  });

  it('is unknown without a header', () => {
    expect(failureOf({ status: 429 }).retryAfterMs).toBeUndefined();
  });

  it('of a server error comes only from Retry-After', () => {
    const facts = { resetHeader: 'x-reset' };
    expect(failureOf({ status: 503, headers: { 'x-reset': '30' } }, {}, facts).retryAfterMs).toBeUndefined();
    expect(failureOf({ status: 503, headers: { 'retry-after': '30' } }, {}, facts).retryAfterMs).toBe(30_000);
  });
});

describe('a 403', () => {
  const github = [
    { status: 401, errorCode: 'auth_failed' as const },
    {
      status: 403,
      when: "message && !contains(message, 'rate limit')",
      errorCode: 'insufficient_permissions' as const,
    },
  ];

  it.each<Record<string, string>>([{ 'retry-after': '1' }, { 'x-ratelimit-remaining': '0' }])(
    'with %o is a rate limit',
    (headers) => {
      expect(failureOf({ status: 403, headers })).toMatchObject({ errorClass: 'rate_limited', action: 'wait' });
    },
  );

  it('with requests left is a missing permission', () => {
    expect(failureOf({ status: 403, headers: { 'x-ratelimit-remaining': '9' } }).errorClass).toBe('permission');
  });

  it('is a rate limit if the rules for permissions do not match it', () => {
    const limited = { status: 403, body: { message: 'API rate limit exceeded' } };
    expect(failureOf(limited, {}, { failures: github }).errorClass).toBe('rate_limited');
    const denied = { status: 403, body: { message: 'Not accessible' }, headers: { 'x-ratelimit-remaining': '0' } };
    expect(failureOf(denied, {}, { failures: github }).errorClass).toBe('permission');
  });

  it('that is a rate limit is not skipped', () => {
    const skipped = { option: { skipOnHttpStatus: [403] } };
    expect(failureOf({ status: 403, headers: { 'retry-after': '1' } }, skipped).action).toBe('wait');
    expect(failureOf({ status: 403 }, skipped).action).toBe('skip_slice');
  });
});

describe('a rule of the definition', () => {
  const google = {
    option: {
      errorBodyRules: [
        {
          statusCode: 403,
          jmesPath: 'error.errors[0].reason',
          retryValues: ['userRateLimitExceeded', 'backendError'],
          skipValues: ['notACalendarUser'],
        },
      ],
    },
  };
  const reply = (reason: string, status = 403) => ({ status, body: { error: { errors: [{ reason }] } } });

  it.each([
    ['userRateLimitExceeded', 'rate_limited', 'wait'],
    ['backendError', 'vendor_unavailable', 'retry'],
    ['notACalendarUser', 'permission', 'skip_slice'],
    ['forbidden', 'permission', 'skip_tap'],
  ])('of errorBodyRules classifies %s', (reason, errorClass, action) => {
    expect(failureOf(reply(reason), google)).toMatchObject({ errorClass, action, status: 403 });
  });

  it('of errorBodyRules applies only to its status', () => {
    expect(failureOf(reply('backendError', 400), google).errorClass).toBe('contract');
  });

  it('of skipOnHttpStatus skips the slice for the option, and the tap for the tap', () => {
    expect(failureOf({ status: 404 }, { option: { skipOnHttpStatus: [404] } }).action).toBe('skip_slice');
    expect(failureOf({ status: 404 }, { tap: { skipOnHttpStatus: [404] } }).action).toBe('skip_tap');
  });

  it('of onCursorExpired restarts the slice', () => {
    const onCursorExpired = { statusCode: 410, jmesPath: 'error.errors[0].reason', values: ['updatedMinTooLongAgo'] };
    const sync = { mode: 'incremental' as const, onCursorExpired };
    expect(failureOf(reply('updatedMinTooLongAgo', 410), { tap: { sync } }).action).toBe('restart');
    expect(failureOf(reply('deleted', 410), { tap: { sync } }).action).toBe('fail_tap');
    const anyBody = { tap: { sync: { ...sync, onCursorExpired: { statusCode: 410 } } } };
    expect(failureOf({ status: 410 }, anyBody).action).toBe('restart');
  });

  it('for credential tests decides if it has an expression', () => {
    const failures = [
      { status: 401, when: "contains(message || '', 'scope')", errorCode: 'insufficient_permissions' as const },
      { when: "code == 'EXPIRED'", errorCode: 'expired' as const },
    ];
    expect(failureOf({ status: 401, body: { message: 'no scope' } }, {}, { failures }).errorClass).toBe('permission');
    expect(failureOf({ status: 401, body: {} }, {}, { failures }).errorClass).toBe('credential');
    expect(failureOf({ status: 400, body: { code: 'EXPIRED' } }, {}, { failures }).errorClass).toBe('credential');
  });

  it('for credential tests with only a status does not decide, because it describes other requests', () => {
    const failures = [
      { status: 400, errorCode: 'auth_failed' as const },
      { status: 404, errorCode: 'config_invalid' as const },
    ];
    expect(failureOf({ status: 400 }, {}, { failures }).errorClass).toBe('contract');
    expect(failureOf({ status: 404 }, child, { failures }).action).toBe('skip_slice');
  });
});

describe('a redirect to another host', () => {
  it('does not count against the credential', () => {
    const reply = { status: 401, url: 'https://login.acme.example/' };
    const facts = { origin: 'https://api.acme.example' };
    expect(failureOf(reply, {}, facts)).toMatchObject({ errorClass: 'configuration', action: 'fail_tap' });
    expect(failureOf({ status: 401 }, {}, facts).errorClass).toBe('credential');
  });
});

describe('a GraphQL error with another status', () => {
  const graphql = { option: { apiType: 'graphql' as const } };
  const body = (code: string) => ({ errors: [{ extensions: { code } }] });

  it('is classified by its code, then by the status', () => {
    expect(failureOf({ status: 400, body: body('RATELIMITED') }, graphql).errorClass).toBe('rate_limited');
    expect(failureOf({ status: 500, body: body('other') }, graphql).errorClass).toBe('vendor_unavailable');
  });
});
