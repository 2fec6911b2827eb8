import { describe, expect, it } from 'vitest';
import type { CredentialVerification } from '../../../src/catalog/model/credential-verification.js';
import {
  classifyExchangeError,
  type ExchangeErrorDetails,
} from '../../../src/sources/responses/classify-exchange-error.js';

function classify(refusal: ExchangeErrorDetails, failures?: CredentialVerification['failures'], hadSession = false) {
  const { status, errorCode } = classifyExchangeError(refusal, { failures }, { hadSession });
  return [status, errorCode];
}

describe('a token endpoint that returns no token', () => {
  it.each([
    ['invalid_client', 'invalid', 'auth_failed'],
    ['invalid_grant', 'invalid', 'auth_failed'],
    ['unauthorized_client', 'invalid', 'insufficient_permissions'],
    ['invalid_scope', 'invalid', 'insufficient_permissions'],
    ['invalid_request', 'invalid', 'config_invalid'],
    ['unsupported_grant_type', 'invalid', 'config_invalid'],
    [undefined, 'inconclusive', undefined],
  ] as const)('with the error %s makes the credential %s, with error code %s', (oauthError, status, errorCode) => {
    expect(classify({ status: 400, oauthError })).toEqual([status, errorCode]);
  });

  it('with invalid_grant, after an earlier token, means that the credential expired', () => {
    expect(classify({ status: 400, oauthError: 'invalid_grant' }, undefined, true)).toEqual(['expired', 'expired']);
    expect(classify({ status: 400, oauthError: 'invalid_client' }, undefined, true)).toEqual([
      'invalid',
      'auth_failed',
    ]);
  });

  it.each([
    [401, 'invalid', 'auth_failed'],
    [403, 'invalid', 'insufficient_permissions'],
    [404, 'invalid', 'config_invalid'],
    [200, 'inconclusive', undefined],
    [400, 'inconclusive', undefined],
  ])('with only the status %i makes the credential %s, with error code %s', (status, ...expected) =>
    expect(classify({ status })).toEqual(expected),
  );

  it('with an HTML page results in a message about the page and the remedy', () => {
    const { status, message } = classifyExchangeError({ status: 200, isHtml: true }, {}, { hadSession: false });
    expect([status, message]).toEqual(['inconclusive', expect.stringMatching(/HTML page.*Check the base URL/)]);
    expect(classify({ status: 401, isHtml: true })).toEqual(['invalid', 'auth_failed']);
  });

  it.each([408, 429, 500, 503])('with status %i is inconclusive, regardless of its body and the rules', (status) => {
    const refusal = { status, oauthError: 'invalid_client' as const, body: { error: 'invalid_client' } };
    expect(classify(refusal, [{ errorCode: 'auth_failed' }])).toEqual(['inconclusive', undefined]);
  });

  it('may return Retry-After', () => {
    const classification = classifyExchangeError({ status: 429, retryAfter: '7' }, {}, { hadSession: false });
    expect(classification.retryAfter).toBe(7_000);
  });

  it('is classified by rules with an expression before the OAuth error', () => {
    const failures: CredentialVerification['failures'] = [
      { when: "error == 'invalid_client' && contains(error_description, 'expired')", errorCode: 'expired' },
      { status: 400, when: "error == 'no_such_site'", errorCode: 'config_invalid' },
    ];
    const error = 'invalid_client' as const;
    const refused = (error_description: string) => ({
      status: 401,
      oauthError: error,
      body: { error, error_description },
    });
    expect(classify(refused('The secret has expired.'), failures)).toEqual(['expired', 'expired']);
    expect(classify(refused('The secret is wrong.'), failures)).toEqual(['invalid', 'auth_failed']);
    expect(classify({ status: 400, body: { error: 'no_such_site' } }, failures)).toEqual(['invalid', 'config_invalid']);
    expect(classify({ status: 400, body: undefined }, failures)).toEqual(['inconclusive', undefined]);
  });

  it('is classified by the OAuth error before a rule with only a status', () => {
    const failures: CredentialVerification['failures'] = [{ status: 403, errorCode: 'insufficient_permissions' }];
    expect(classify({ status: 403, oauthError: 'invalid_grant' }, failures, true)).toEqual(['expired', 'expired']);
    expect(classify({ status: 403, body: {} }, failures, true)).toEqual(['invalid', 'insufficient_permissions']);
  });
});
