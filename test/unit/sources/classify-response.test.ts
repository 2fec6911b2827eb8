import { describe, expect, it } from 'vitest';
import type { CredentialVerification } from '../../../src/catalog/model/credential-verification.js';
import type { OutboundReply } from '../../../src/kernel/outbound/outbound-client.js';
import { type ClassificationCriteria, classifyResponse } from '../../../src/sources/responses/classify-response.js';

const NOW = Date.UTC(2026, 0, 1);
const ORIGIN = 'https://api.acme.test';

function aReply(
  status: number,
  body: unknown = { login: 'ada' },
  headers: Record<string, string> = {},
  url = `${ORIGIN}/me`,
): OutboundReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), body: Buffer.from(text), url };
}

function classify(
  reply: OutboundReply,
  verification: CredentialVerification = { url: '/me' },
  criteria: Partial<ClassificationCriteria> = {},
) {
  return classifyResponse(reply, { verification, origin: ORIGIN, now: NOW, ...criteria });
}

describe('a status', () => {
  it.each([
    [200, 'valid', undefined],
    [401, 'invalid', 'auth_failed'],
    [403, 'invalid', 'insufficient_permissions'],
    [404, 'invalid', 'config_invalid'],
    [201, 'inconclusive', undefined],
    [204, 'inconclusive', undefined],
    [304, 'inconclusive', undefined],
    [400, 'inconclusive', undefined],
    [402, 'inconclusive', undefined],
    [410, 'inconclusive', undefined],
    [408, 'inconclusive', undefined],
    [429, 'inconclusive', undefined],
    [500, 'inconclusive', undefined],
    [503, 'inconclusive', undefined],
    [599, 'inconclusive', undefined],
  ])('%i without a rule is %s %s', (httpStatus, status, errorCode) => {
    const classification = classify(aReply(httpStatus));
    expect(classification).toMatchObject({ status, httpStatus });
    expect(classification.errorCode).toBe(errorCode);
  });

  it.each([408, 429, 500, 502])('%i never counts against a credential, even if a rule matches', (status) => {
    const verification = { acceptedStatuses: [status], failures: [{ status, errorCode: 'auth_failed' as const }] };
    expect(classify(aReply(status), verification)).toMatchObject({ status: 'inconclusive' });
  });

  it('is accepted only if acceptedStatuses contains it, including 200', () => {
    const verification = { acceptedStatuses: [204] };
    expect(classify(aReply(204, ''), verification).status).toBe('valid');
    expect(classify(aReply(200), verification).status).toBe('inconclusive');
  });
});

describe('rules', () => {
  const failures: CredentialVerification['failures'] = [
    { status: 401, when: "error == 'old'", errorCode: 'expired' },
    { status: 401, when: '!error', errorCode: 'config_invalid' },
    { status: 401, errorCode: 'auth_failed' },
    { status: 403, when: "!contains(message, 'rate limit')", errorCode: 'insufficient_permissions' },
    { when: "error == 'no_such_site'", errorCode: 'config_invalid' },
    { status: 200, when: 'error', errorCode: 'auth_failed' },
    { status: 201, when: 'error', errorCode: 'internal_error' },
  ];

  it.each([
    ['the first matching rule applies', 401, { error: 'old' }, 'expired', 'expired'],
    [
      'a later rule applies if the expression of an earlier one is false',
      401,
      { error: 'x' },
      'invalid',
      'auth_failed',
    ],
    ['an expression never matches a body that is not JSON', 401, '<p>old</p>', 'invalid', 'auth_failed'],
    ['a rule without a status matches every status', 418, { error: 'no_such_site' }, 'invalid', 'config_invalid'],
    ['a rule may match an accepted status', 200, { error: 'bad key' }, 'invalid', 'auth_failed'],
    ['a matching rule classifies a 403', 403, { message: 'no access' }, 'invalid', 'insufficient_permissions'],
    [
      'a rule for 403 that does not match makes a 403 inconclusive',
      403,
      { message: 'rate limit' },
      'inconclusive',
      undefined,
    ],
    ['so does a rule for 403 if the body is not JSON', 403, 'Forbidden', 'inconclusive', undefined],
    ['an internal error of the source is inconclusive', 201, { error: 1 }, 'inconclusive', 'internal_error'],
  ])('%s', (_, status, body, expected, errorCode) => {
    const classification = classify(aReply(status, body), { failures });
    expect([classification.status, classification.errorCode]).toEqual([expected, errorCode]);
  });
});

describe('an accepted response', () => {
  it.each([
    ['identityPath', { identityPath: 'login' }],
    ['grantedScopesPath', { grantedScopesPath: 'scopes' }],
    ['a rule for the status', { failures: [{ status: 200, when: 'error', errorCode: 'auth_failed' as const }] }],
    ['a rule for every status', { failures: [{ when: 'error', errorCode: 'auth_failed' as const }] }],
  ])('is inconclusive if %s reads its body and it is not JSON', (_, verification) => {
    expect(classify(aReply(200, 'Welcome'), verification).status).toBe('inconclusive');
    expect(classify(aReply(200, '{}'), verification).status).toBe('valid');
  });

  it('may begin with a byte order mark', () => {
    expect(classify(aReply(200, '\ufeff{"login":"ada"}'), { identityPath: 'login' }).identity).toBe('ada');
  });

  it('need not be JSON if nothing reads its body', () => {
    const verification = { failures: [{ status: 400, when: 'error', errorCode: 'auth_failed' as const }] };
    expect(classify(aReply(200, 'OK'), verification).status).toBe('valid');
  });

  it.each([
    ['by its type', '{}', { 'content-type': 'text/html; charset=utf-8' }],
    ['by its doctype', '\n <!DOCTYPE html><title>Sign in</title>', {}],
    ['by its first tag', '<html lang="en">', {}],
  ])('that is HTML %s is inconclusive', (_, body, headers: Record<string, string>) => {
    const { status, message } = classify(aReply(200, body, headers));
    expect([status, message]).toEqual(['inconclusive', expect.stringMatching(/HTML page.*Check the base URL/)]);
  });

  it.each([200, 401, 403, 404])('of another origin (%i) is inconclusive', (status) => {
    expect(classify(aReply(status, {}, {}, 'https://login.acme.test/me')).status).toBe('inconclusive');
    expect(classify(aReply(status, {}, {}, 'http://api.acme.test/me')).status).toBe('inconclusive');
    expect(classify(aReply(status, {}, {}, 'https://api.acme.test/other')).status).not.toBe('inconclusive');
  });
});

describe('the identity', () => {
  it.each([
    ['a text', 'ada', 'ada'],
    ['a number', 62515, '62515'],
    ['nothing', null, undefined],
    ['an empty text', '  ', undefined],
    ['an object', { name: 'ada' }, undefined],
    ['more than 200 characters', '💧'.repeat(300), '💧'.repeat(200)],
    ['several lines, NUL, an escape and a turned direction', 'a\n\n\0b\u001b\u202ec\ud800', 'a b c'],
  ])('of %s', (_, login, identity) => {
    expect(classify(aReply(200, { login }), { identityPath: 'login' }).identity).toBe(identity);
  });
});

describe('scopes', () => {
  const requestedScopes = ['read', 'write'];

  it.each([
    ['a list', { grantedScopesPath: 's' }, { s: ['read', 'read', 5] }, {}, ['read'], ['write']],
    ['a text', { grantedScopesPath: 's' }, { s: ' read  write ' }, {}, ['read', 'write'], []],
    [
      'a header',
      { grantedScopesHeader: 'X-S', scopeSeparator: ', ' },
      {},
      { 'x-s': 'write,read' },
      ['write', 'read'],
      [],
    ],
    ['an empty header', { grantedScopesHeader: 'X-S' }, {}, { 'x-s': '' }, [], ['read', 'write']],
    ['no header', { grantedScopesHeader: 'X-S' }, {}, {}, undefined, undefined],
    ['nothing at the path', { grantedScopesPath: 's' }, {}, {}, undefined, undefined],
  ])('of %s', (_, verification, body, headers: Record<string, string>, grantedScopes, missingScopes) => {
    const classification = classify(aReply(200, body, headers), verification, { requestedScopes });
    expect(classification.grantedScopes).toEqual(grantedScopes);
    expect(classification.missingScopes).toEqual(missingScopes);
  });

  it('that are missing do not make a credential invalid', () => {
    const classification = classify(aReply(200, { s: [] }), { grantedScopesPath: 's' }, { requestedScopes });
    expect(classification).toMatchObject({ status: 'valid', missingScopes: ['read', 'write'] });
  });

  it('are the scopes of the token endpoint if the response has no scopes', () => {
    const classification = classify(aReply(200), {}, { requestedScopes, sessionScopes: ['read'] });
    expect(classification).toMatchObject({ grantedScopes: ['read'], missingScopes: ['write'] });
  });

  it.each([
    [['offline_access', 'openid', 'https://graph.acme.test/.default', 'read'], ['read'], []],
    [['offline_access', 'openid', 'read'], ['openid', 'read'], ['offline_access']],
  ])('that vendors never list do not count as missing: %j of %j', (requested, scopes, missingScopes) => {
    const classification = classify(
      aReply(200, { scopes }),
      { grantedScopesPath: 'scopes' },
      { requestedScopes: requested },
    );
    expect(classification.missingScopes).toEqual(missingScopes);
  });
});

describe('retryAfter', () => {
  it.each([
    ['Retry-After in seconds', 429, { 'retry-after': '30' }, 30_000],
    ['Retry-After as a date', 503, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    ['Retry-After of the past', 429, { 'retry-after': 'Thu, 01 Jan 2015 00:01:00 GMT' }, 0],
    ['Retry-After of a year', 429, { 'retry-after': '31536000' }, 86_400_000],
    ['Retry-After with an invalid value', 429, { 'retry-after': 'soon' }, undefined],
    ['the header of the connector in seconds', 429, { 'x-reset': '12.5' }, 12_500],
    ['the header of the connector since 1970', 429, { 'x-reset': String(NOW / 1000 + 90) }, 90_000],
    ['the header of the connector in milliseconds since 1970', 429, { 'x-reset': String(NOW + 90_000) }, 90_000],
    ['the header of the connector in ISO 8601', 429, { 'x-reset': '2026-01-01T00:02Z' }, 120_000],
    ['Retry-After before the header of the connector', 429, { 'retry-after': '1', 'x-reset': '60' }, 1_000],
    ['the header of the connector with a 403 that may be a rate limit', 403, { 'x-reset': '60' }, 60_000],
    ['not the header of the connector with a server error', 500, { 'x-reset': '60' }, undefined],
  ])('comes from %s', (_, status, headers, retryAfter) => {
    const verification = { failures: [{ status: 403, when: 'denied', errorCode: 'auth_failed' as const }] };
    const classification = classify(aReply(status, {}, headers as Record<string, string>), verification, {
      resetHeader: 'X-Reset',
    });
    expect(classification.status).toBe('inconclusive');
    expect(classification.retryAfter).toBe(retryAfter);
  });
});
