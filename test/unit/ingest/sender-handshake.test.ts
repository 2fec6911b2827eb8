import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InboundHandshakeKind } from '../../../src/catalog/model/inbound-auth-strategy.js';
import { type HandshakeRequest, respondToHandshake } from '../../../src/ingest/senders/handshake.js';
import type { SenderStrategy } from '../../../src/ingest/senders/sender-claims.js';
import { verifySender } from '../../../src/ingest/senders/verify-sender.js';
import { aConfigSchema } from '../../support/catalog/definition-builders.js';
import { shippedStrategy, TAP_URL } from '../../support/ingest/sender-builder.js';
import { rawHeaders } from '../../support/ingest/tampered-deliveries.js';
import { aSenderStrategy, signerOf } from '../../support/ingest/webhook-senders.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const config = { key: 'secret' };
const slack = signerOf('Slack');

const aStrategy = (handshakeKind: InboundHandshakeKind, own: Partial<SenderStrategy> = {}): SenderStrategy =>
  aSenderStrategy({ handshakeKind, verificationType: 'hmac_sha256', ...(own as object) });

interface HandshakeRequestFields {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

function respond(
  strategy: SenderStrategy,
  { method = 'GET', query = '', headers = [], body = '' }: HandshakeRequestFields,
  own: object = config,
) {
  const request: HandshakeRequest = { method, query, headers, body: Buffer.from(body), url: TAP_URL };
  return respondToHandshake(strategy, own as Record<string, unknown>, request, NOW);
}

const text = (body: string) => ({ type: 'text/plain; charset=utf-8', headers: {}, body });
const json = (value: object) => ({ type: 'application/json', headers: {}, body: JSON.stringify(value) });
const hmac = (value: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', 'secret').update(value).digest(encoding);

describe('an echoed query parameter', () => {
  const open = aStrategy('echo_query_param', { verificationType: 'none' });
  const agreed = aStrategy('echo_query_param');

  it.each([
    ['GET', 'challenge=abc-123', 'abc-123'],
    ['POST', 'validationToken=Validation%3A+Testing%20client%2Fapp', 'Validation: Testing client/app'],
    ['GET', 'hub.mode=subscribe&hub.challenge=17', '17'],
  ])('is returned as plain text: %s %s', (method, query, body) => {
    expect(respond(open, { method, query })).toEqual(text(body));
  });

  it('with HTML is returned as plain text, which browsers do not run', () => {
    expect(respond(open, { query: 'challenge=%3Cscript%3Ealert(1)%3C%2Fscript%3E' })).toEqual(
      text('<script>alert(1)</script>'),
    );
  });

  it('is returned to WebSub and Meta if the verify token matches', () => {
    const challenge = (token: string) =>
      respond(agreed, { query: `hub.mode=subscribe&hub.challenge=17&hub.verify_token=${token}` });
    expect(challenge('secret')).toEqual(text('17'));
    for (const token of ['', 'Secret', 'secret%20', 'x&hub.verify_token=secret'])
      expect(challenge(token)).toBe('refused');
    expect(respond(agreed, { query: 'hub.challenge=17' })).toBe('refused');
  });

  it('requires the verify token if one is configured; the secret does not replace it, and the token signs no delivery', () => {
    const key = { type: 'string', secret: true };
    const strategy = aStrategy('echo_query_param', { configSchema: aConfigSchema({ key, verifyToken: key }) });
    const both = { key: 'secret', verifyToken: 'agreed' };
    const challenge = (token: string) =>
      respond(strategy, { query: `hub.challenge=17&hub.verify_token=${token}` }, both);
    expect([challenge('agreed'), challenge('secret')]).toEqual([text('17'), 'refused']);
    const signature = createHmac('sha256', 'agreed').update('{}').digest('hex');
    const forged = { headers: ['X-Signature', signature], body: Buffer.from('{}'), url: TAP_URL };
    expect(verifySender(strategy, both, forged, NOW)).toBeUndefined();
  });

  it.each([
    ['more than 1 KiB', `challenge=${'a'.repeat(1_025)}`],
    ['a line end', 'challenge=a%0d%0aSet-Cookie:x'],
    ['a character beyond ASCII', 'challenge=%C3%A4'],
    ['nothing', 'challenge='],
    ['two at once', 'challenge=a&challenge=b'],
  ])('is rejected with %s', (_, query) => {
    expect(respond(open, { query })).toBe('refused');
  });

  it('is returned with up to 1 KiB', () => {
    expect(respond(open, { query: `challenge=${'a'.repeat(1_024)}` })).toEqual(text('a'.repeat(1_024)));
  });

  it('with a body is a delivery', () => {
    expect(respond(open, { method: 'POST', query: 'challenge=a', body: '{}' })).toBeUndefined();
  });
});

describe('an echoed body field', () => {
  const challenge = Buffer.from(JSON.stringify({ token: 'x', challenge: 'abc-123', type: 'url_verification' }));

  it('is returned to Slack if the request is verified', () => {
    const { headers, body } = slack.send(NOW, { body: challenge });
    const request = { method: 'POST', headers: rawHeaders(headers), body };
    expect(respond(slack.strategy, request, slack.config)).toEqual(json({ challenge: 'abc-123' }));
    expect(respond(slack.strategy, { ...request, headers: [] }, slack.config)).toBe('refused');
    expect(respond(slack.strategy, { ...request, body: `${body} ` }, slack.config)).toBe('refused');
    expect(respond(slack.strategy, request, {})).toBe('refused');
  });

  const open = aStrategy('echo_body_field', { verificationType: 'none' });

  it('is returned if it is the only field', () => {
    expect(respond(open, { method: 'POST', body: '{"challenge":"abc"}' })).toEqual(json({ challenge: 'abc' }));
  });

  it.each([
    ['{"challenge":"abc","id":1}'],
    ['{"type":"event_callback","challenge":"abc"}'],
    ['{"type":"url_verification"}'],
    ['{"type":"url_verification","challenge":17}'],
    ['[{"challenge":"abc"}]'],
    ['null'],
    ['{'],
    [JSON.stringify({ type: 'url_verification', challenge: 'a', more: 'b'.repeat(9_000) })],
  ])('is not detected in a delivery: %.60s', (body) => {
    expect(respond(open, { method: 'POST', body })).toBeUndefined();
  });

  it.each([['a'.repeat(1_025)], ['ä'], ['a\r\nb'], ['']])('is rejected if its value is %.20j', (value) => {
    expect(respond(open, { method: 'POST', body: JSON.stringify({ challenge: value }) })).toBe('refused');
  });
});

describe('an echoed header', () => {
  const okta = shippedStrategy('okta');
  const token = { token: 'secret' };
  const verification = ['X-Okta-Verification-Challenge', 'abc'];

  it('is returned to Okta if the secret matches', () => {
    const shown = ['X-Event-Hook-Secret', 'secret'];
    expect(respond(okta, { headers: [...verification, ...shown] }, token)).toEqual(json({ verification: 'abc' }));
    expect(respond(okta, { headers: verification }, token)).toBe('refused');
    expect(respond(okta, { headers: [...verification, ...verification, ...shown] }, token)).toBe('refused');
    expect(respond(okta, { headers: shown }, token)).toBeUndefined();
    expect(respond(okta, { method: 'POST', headers: [...verification, ...shown], body: '{}' }, token)).toBeUndefined();
  });

  it('is returned to Asana in the same header', () => {
    const asana = aStrategy('echo_header');
    expect(respond(asana, { method: 'POST', headers: ['X-Hook-Secret', 'abc'] })).toEqual({
      ...text(''),
      headers: { 'X-Hook-Secret': 'abc' },
    });
    for (const value of ['a'.repeat(1_025), 'a\r\nSet-Cookie: x', 'ä', ''])
      expect(respond(asana, { method: 'POST', headers: ['X-Hook-Secret', value] })).toBe('refused');
  });
});

describe('a signed challenge', () => {
  const strategy = aStrategy('hmac_challenge');
  const zoom = (plainToken: unknown, signed = true): HandshakeRequestFields => {
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } });
    return { method: 'POST', body, headers: signed ? ['X-Signature', hmac(body, 'hex')] : [] };
  };

  it('is returned to Zoom if the request is verified', () => {
    const answer = json({
      plainToken: 'plain-token_1',
      encryptedToken: hmac('plain-token_1', 'hex'),
    });
    expect(respond(strategy, zoom('plain-token_1'))).toEqual(answer);
    expect(respond(strategy, zoom('plain-token_1', false))).toBe('refused');
  });

  it('is returned to X', () => {
    expect(respond(strategy, { query: 'crc_token=abc&nonce=17' })).toEqual(
      json({ response_token: `sha256=${hmac('abc', 'base64')}` }),
    );
  });

  it.each(['{}', '[]', '{"id":1}', 'v0:1:{}', '1.2', 'a b', 'a:b', 'a'.repeat(257), '', 'ä'])(
    'is rejected if its HMAC could sign a delivery: %.20s',
    (token) => {
      expect(respond(strategy, { query: `crc_token=${encodeURIComponent(token)}` })).toBe('refused');
      expect(respond(strategy, zoom(token))).toBe('refused');
    },
  );

  it.each([17, null, { a: 1 }])('is rejected if it is not a string: %j', (token) => {
    expect(respond(strategy, zoom(token))).toBe('refused');
  });

  it('is rejected without a secret', () => {
    expect(respond(strategy, { query: 'crc_token=abc' }, {})).toBe('refused');
  });
});

describe('a request', () => {
  const all: HandshakeRequestFields = {
    query: 'challenge=a&crc_token=a&validationToken=a',
    headers: ['X-Okta-Verification-Challenge', 'a'],
  };

  it('is not a handshake if the strategy has none', () => {
    expect(respond(aStrategy('none'), all)).toBeUndefined();
  });

  it('is not a handshake of a different kind from the strategy', () => {
    expect(respond(aStrategy('echo_body_field'), all)).toBeUndefined();
    expect(respond(aStrategy('echo_header', { verificationType: 'none' }), { ...all, headers: [] })).toBeUndefined();
  });

  it('with records is not a handshake', () => {
    const delivery = { method: 'POST', body: '{"id":1,"event":"created","payload":{"plainToken":"a"}}' };
    for (const kind of ['echo_query_param', 'echo_body_field', 'echo_header', 'hmac_challenge'] as const)
      expect(respond(aStrategy(kind), delivery)).toBeUndefined();
  });
});
