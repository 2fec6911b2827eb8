import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callSource } from '../../../src/sources/calls/call-source.js';
import { buildOAuth1SignatureBase } from '../../../src/sources/methods/netsuite-tba.js';
import { type ReceivedRequest, SourceServer } from '../../support/servers/source-server.js';
import { InMemorySessions } from '../../support/sources/in-memory-sessions.js';
import { aConnection } from '../../support/sources/source-connection.js';

let source: SourceServer;
beforeAll(async () => {
  source = await new SourceServer((request) => (isSigned(request) ? 200 : 401)).open();
});
afterAll(() => source.close());

const SECRETS = { consumer: "c's (secret)!", token: 't*&=%+' };
const nonces = new Set<string>();

/** Checks the signature, nonce and time with an independent implementation of RFC 5849. */
function isSigned({ method, url, headers }: ReceivedRequest): boolean {
  const fields = [...`${headers.authorization}`.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const { realm, oauth_signature: signature, ...signed } = Object.fromEntries(fields) as Record<string, string>;
  const query = url.search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split('=').map(unquoted));
  const all = [...query, ...Object.entries(signed).map((pair) => pair.map(unquoted))] as [string, string][];
  const pairs = all.map(([name, value]) => `${quoted(name)}=${quoted(value)}`).sort();
  const text = [method, `http://${headers.host}${url.pathname}`, pairs.join('&')].map(quoted).join('&');
  const key = `${quoted(SECRETS.consumer)}&${quoted(SECRETS.token)}`;
  const expected = createHmac('sha256', key).update(text).digest('base64');
  const first = !nonces.has(`${signed.oauth_nonce}`);
  nonces.add(`${signed.oauth_nonce}`);
  return unquoted(`${signature}`) === expected && realm === '1234567_SB1' && first && isNow(signed.oauth_timestamp);
}

function quoted(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => [String.fromCharCode(byte), byte.toString(16)] as const);
  return bytes.map(([sign, hex]) => (/[\w.~-]/.test(sign) ? sign : `%${hex.toUpperCase().padStart(2, '0')}`)).join('');
}

function unquoted(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function isNow(seconds: string | undefined): boolean {
  return Math.abs(Number(seconds) - Date.now() / 1_000) < 10;
}

function statusOf(path: string, config: object = {}) {
  const connection = aConnection({
    connector: { defaultBaseUrl: source.url },
    strategy: { type: 'custom', hook: 'netsuite_tba' },
    config: {
      consumerKey: 'key',
      consumerSecret: SECRETS.consumer,
      tokenId: 'id',
      tokenSecret: SECRETS.token,
      ...config,
    },
    ingestionConfig: { account: '1234567-sb1' },
  });
  const call = { connection, sessions: new InMemorySessions(), send: source.send };
  return callSource(call, { path, method: 'POST', json: { q: 'SELECT 1' } }).then(({ status }) => status);
}

describe('token-based authentication', () => {
  it.each(['/query', '/query?limit=1', "/a%20b?z=1&a=x%20y&a=!'()*&empty=&q=SELECT+1&u=%C3%A4"])(
    'signs %s like an independent implementation of the RFC',
    async (path) => expect(await statusOf(path)).toBe(200),
  );

  it.each([{ consumerSecret: 'wrong' }, { tokenSecret: 'wrong' }])('is rejected with %j', async (config) => {
    expect(await statusOf('/query?limit=1', config)).toBe(401);
  });

  it('names the field whose text cannot be encoded as UTF-8', async () => {
    await expect(statusOf('/query', { consumerKey: '\ud800' })).rejects.toMatchObject({ field: 'consumerKey' });
  });

  it('produces the signature base of the example in RFC 5849, section 3.4.1.1', () => {
    const url = new URL('http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b');
    const parameters = [
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
      ['c2', ''],
      ['a3', '2 q'],
    ] as const;
    expect(buildOAuth1SignatureBase('post', url, parameters)).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
        'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
        'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });
});
