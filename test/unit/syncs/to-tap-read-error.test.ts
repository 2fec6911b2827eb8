import { describe, expect, it } from 'vitest';
import { evaluateJmesPath } from '../../../src/kernel/formats/jmespath.js';
import { OutboundError } from '../../../src/kernel/outbound/outbound-error.js';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { TokenExchangeError } from '../../../src/sources/responses/token-exchange-error.js';
import { SignInRequiredError } from '../../../src/sources/sessions/sign-with-session.js';
import { ForeignAddressError } from '../../../src/sources/source-address.js';
import { toTapReadError } from '../../../src/syncs/responses/to-tap-read-error.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';

const UNREACHABLE = [
  'url_not_allowed',
  'address_not_allowed',
  'unreachable',
  'broken_reply',
  'too_many_redirects',
  'redirect_not_allowed',
] as const;

describe('toTapReadError', () => {
  it('gives all addresses that cannot be reached the same error, which reveals nothing about the network', () => {
    const errors = UNREACHABLE.map((reason) => {
      const { errorClass, action, message } = toTapReadError(new OutboundError(reason));
      return `${errorClass} ${action} ${message}`;
    });
    expect(new Set(errors)).toEqual(new Set(['vendor_unavailable retry The source cannot be reached.']));
  });

  it.each([
    ['timeout', 'vendor_unavailable', 'retry'],
    ['reply_too_large', 'contract', 'fail_tap'],
    ['request_not_allowed', 'contract', 'fail_tap'],
    ['closed', 'internal', 'retry'],
  ] as const)('classifies the transport failure %s', (reason, errorClass, action) => {
    expect(toTapReadError(new OutboundError(reason))).toMatchObject({ errorClass, action });
  });

  it.each([
    [400, { error: 'invalid_grant' }, 'credential', 'stop_run'],
    [401, { error: 'invalid_client' }, 'credential', 'stop_run'],
    [400, { error: 'unauthorized_client' }, 'permission', 'stop_run'],
    [400, { error: 'invalid_scope' }, 'permission', 'stop_run'],
    [400, { error: 'unsupported_grant_type' }, 'configuration', 'stop_run'],
    [401, undefined, 'credential', 'stop_run'],
    [404, undefined, 'configuration', 'stop_run'],
    [418, { error_description: 'secret' }, 'credential', 'stop_run'],
    [408, undefined, 'vendor_unavailable', 'retry'],
    [502, { error: 'invalid_grant' }, 'vendor_unavailable', 'retry'],
    [429, undefined, 'rate_limited', 'wait'],
  ])('classifies a token exchange with status %i and body %o', (status, body, errorClass, action) => {
    const error = toTapReadError(new TokenExchangeError(status, body, '30'));
    expect(error).toMatchObject({ errorClass, action, status });
    expect(error.retryAfterMs).toBe(['retry', 'wait'].includes(action) ? 30_000 : undefined);
    expect(error.message).not.toContain('secret');
  });

  it('classifies a rejected token exchange by the rules of the strategy', () => {
    const failures = [
      { when: "contains(error_description || '', 'AADSTS700016')", errorCode: 'config_invalid' as const },
    ];
    const error = new TokenExchangeError(400, { error: 'invalid_client', error_description: 'AADSTS700016' });
    expect(toTapReadError(error, { verification: { failures } }).errorClass).toBe('configuration');
    expect(toTapReadError(error).errorClass).toBe('credential');
  });

  it.each([
    [new SignInRequiredError(), 'credential', 'stop_run', 'Sign in with the vendor first.'],
    [
      new ConnectionConfigError('region', 'a value is required, because the URL of the source contains it.'),
      'configuration',
      'fail_tap',
      'region: a value is required, because the URL of the source contains it.',
    ],
    [
      new ForeignAddressError(),
      'contract',
      'fail_tap',
      'A URL in a response of the source, such as the link to the next page, is outside the base URL of the connection.',
    ],
    [new Error('secret'), 'internal', 'fail_tap', 'The service failed with an internal error.'],
    ['secret', 'internal', 'fail_tap', 'The service failed with an internal error.'],
  ])('classifies %s', (error, errorClass, action, message) => {
    expect(toTapReadError(error)).toMatchObject({ errorClass, action, message });
  });

  it('classifies an invalid expression as an error of the definition', () => {
    let thrown: unknown;
    try {
      evaluateJmesPath('a.[', {});
    } catch (error) {
      thrown = error;
    }
    expect(toTapReadError(thrown)).toMatchObject({ errorClass: 'contract', action: 'fail_tap' });
  });

  it('keeps the cause of an internal error for the log, and returns a TapReadError unchanged', () => {
    const cause = new Error('x');
    expect(toTapReadError(cause).cause).toBe(cause);
    const known = new TapReadError('contract', 'fail_tap', 'x');
    expect(toTapReadError(known)).toBe(known);
  });
});
