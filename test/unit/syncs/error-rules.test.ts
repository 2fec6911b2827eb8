import { describe, expect, it } from 'vitest';
import type { ErrorBodyRule } from '../../../src/catalog/model/transport-option.js';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aReading } from '../../support/syncs/tap-reading.js';

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Returns undefined if the response is a page. */
function failureBy(errorBodyRules: ErrorBodyRule[], { status = 400, body = {}, headers = {} }: Reply = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = { status, url: 'https://api.test/', headers: new Headers(headers), body: Buffer.from(text) };
  try {
    readTapResponse(aReading({ option: { errorBodyRules } }), reply as never);
  } catch (error) {
    const { errorClass, action, message, retryAfterMs } = error as TapReadError;
    return { errorClass, action, message, retryAfterMs };
  }
  return undefined;
}

describe('the action of a rule for errors', () => {
  it.each<[ErrorBodyRule['action'], string, string]>([
    ['retry', 'vendor_unavailable', 'retry'],
    ['wait', 'rate_limited', 'wait'],
    ['refresh_session', 'credential', 'refresh_session'],
    ['reset_paging', 'vendor_unavailable', 'reset_paging'],
    ['skip', 'permission', 'skip_slice'],
    ['skip_tap', 'permission', 'skip_tap'],
    ['fail', 'contract', 'fail_tap'],
  ])('%s has class %s', (action, errorClass, expected) =>
    expect(failureBy([{ statusCode: 400, action: action as never }])).toMatchObject({ errorClass, action: expected }),
  );

  it('has the class and the message of the rule', () => {
    const rule = { statusCode: 400, action: 'fail', errorClass: 'configuration', message: 'Check the site.' } as const;
    expect(failureBy([rule])).toMatchObject({
      ...{ errorClass: 'configuration', action: 'fail_tap', message: 'Check the site.' },
    });
  });

  it('stops the sync for an error of the credential', () =>
    expect(failureBy([{ statusCode: 400, action: 'fail', errorClass: 'credential' }])).toMatchObject({
      ...{ errorClass: 'credential', action: 'stop_run' },
    }));

  it('waits for the time in Retry-After, and otherwise ignores it', () => {
    const headers = { 'retry-after': '7' };
    expect(failureBy([{ statusCode: 400, action: 'wait' }], { headers })?.retryAfterMs).toBe(7_000);
    expect(failureBy([{ statusCode: 400, action: 'skip' }], { headers })?.retryAfterMs).toBeUndefined();
  });
});

describe('a rule for errors matches', () => {
  const skips = (rule: ErrorBodyRule, reply: Reply) =>
    failureBy([{ action: 'skip', ...rule }], reply)?.action === 'skip_slice';
  const body = { error: { code: 'E7', text: 'Try again later' } };

  it.each<[string, ErrorBodyRule, Reply, boolean]>([
    ['its status', { statusCode: 409 }, { status: 409 }, true],
    ['no other status', { statusCode: 409 }, { status: 400 }, false],
    ['a condition', { when: "contains(error.text, 'again')" }, { body }, true],
    ['no failed condition', { when: "contains(error.text, 'never')" }, { body }, false],
    ['one of its values', { jmesPath: 'error.code', values: ['E6', 'E7'] }, { body }, true],
    ['no other value', { jmesPath: 'error.code', values: ['E6'] }, { body }, false],
    ['status and condition together', { statusCode: 409, when: 'error' }, { body }, false],
    ['text that is not JSON', { when: "contains(@, 'maintenance')" }, { body: 'Down for maintenance' }, true],
    ['a successful status', { when: "error.code == 'E7'" }, { status: 200, body }, true],
  ])('%s', (_, rule, reply, expected) => expect(skips(rule, reply)).toBe(expected));

  it('before later rules, and before the table of statuses', () => {
    const rules: ErrorBodyRule[] = [
      { jmesPath: 'error.code', retryValues: ['E1'], skipValues: ['E7'], action: 'fail', statusCode: 401 },
      { statusCode: 401, action: 'skip_tap' },
    ];
    expect(failureBy(rules, { status: 401, body })).toMatchObject({ action: 'skip_slice' });
    expect(failureBy(rules, { status: 401 })).toMatchObject({ action: 'fail_tap' });
    expect(failureBy(rules.slice(1), { status: 401 })).toMatchObject({ action: 'skip_tap' });
  });
});
