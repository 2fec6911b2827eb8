import { createHmac } from 'node:crypto';
import { CompactEncrypt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../bench/support/seeded-random.js';
import { seed } from '../../../support/catalog/definition-builders.js';
import {
  aJwksServer,
  aSigningKey,
  encodeJwtPart,
  nowSeconds,
  signToken,
} from '../../../support/identity/jwks-server.js';
import { createWorkspaceWithInvitations } from '../../../support/service/invited-workspace.js';
import { aService, type Reply } from '../../../support/service/service.js';

const issuer = await aJwksServer();
const attacker = await aJwksServer();
const elliptic = aSigningKey('ES256', { use: undefined });
const forEncryption = aSigningKey('RS256', { use: 'enc' });
issuer.keys.push(elliptic.jwk, forEncryption.jwk);

/** Each algorithm is also the id of its key. */
const ALGORITHMS = ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const signers = new Map<string, CryptoKey>();
for (const alg of ALGORITHMS) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  issuer.keys.push({ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' });
  signers.set(alg, privateKey);
}

const service = aService(issuer.settings);
beforeAll(() => createWorkspaceWithInvitations(service, 'acme', { 'ada@acme.test': 'owner' }));
afterAll(() => Promise.all([issuer.close(), attacker.close()]));

const requestAs = (authorization: string): Promise<Reply> =>
  service.request('/api/users/me', { headers: { authorization, 'x-tenant': 'acme' } });

const NEEDED = 'UNAUTHENTICATED: A bearer token is required.';
const INVALID = 'UNAUTHENTICATED: The bearer token is not valid.';

function expectRefusal({ status, headers, body }: Reply, error: string): void {
  const scheme = error === INVALID ? /^Bearer error="invalid_token"$/ : /^Bearer( error="invalid_token")?$/;
  expect([status, body, headers.get('www-authenticate')]).toEqual([401, { error }, expect.stringMatching(scheme)]);
}

async function expectGoodOnePasses(): Promise<void> {
  const { status, body } = await requestAs(`Bearer ${issuer.token()}`);
  expect([status, body.data.email]).toEqual([200, 'ada@acme.test']);
}

const { kid, publicKey } = issuer.key;
const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const der = publicKey.export({ type: 'spki', format: 'der' });

/** `secret` is a value that every attacker knows, such as the public key. */
function hmacToken(secret: string | Buffer, header: object = {}): string {
  const text = `${encodeJwtPart({ alg: 'HS256', typ: 'at+jwt', kid, ...header })}.${encodeJwtPart(issuer.claims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function unsigned(alg: string, signature = ''): string {
  return `${encodeJwtPart({ alg, typ: 'at+jwt', kid })}.${encodeJwtPart(issuer.claims())}.${signature}`;
}

function encrypted(): Promise<string> {
  return new CompactEncrypt(Buffer.from(issuer.token()))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', typ: 'at+jwt', kid, cty: 'JWT' })
    .encrypt(publicKey);
}

function changedToken(change: (header: string, payload: string, signature: string) => string): string {
  const [header, payload, signature] = issuer.token().split('.') as [string, string, string];
  return change(header, payload, signature);
}

describe('an access token', () => {
  it.each<[string, () => string]>([
    ['a list of audiences that includes ours', () => issuer.token({ aud: ['other', 'taproot'] })],
    ['the full media type', () => issuer.token({}, { typ: 'application/at+jwt' })],
    ['no key id if only one key matches', () => issuer.token({}, { kid: undefined })],
    ['another algorithm and a key without a use', () => issuer.token({}, {}, elliptic)],
    ['an expiry 10 s ago', () => issuer.token({ exp: nowSeconds() - 10 })],
    ['a start in 10 s', () => issuer.token({ nbf: nowSeconds() + 10 })],
    ['8 KB of further claims', () => issuer.token({ groups: 'x'.repeat(8_000) })],
    ['only the required claims', () => issuer.token({ jti: undefined, email: undefined })],
  ])('is accepted with %s', async (_, token) => {
    await expectGoodOnePasses();
    expect((await requestAs(`Bearer ${token()}`)).status).toBe(200);
  });

  it.each(ALGORITHMS)('may be signed with %s', async (alg) => {
    const token = new SignJWT(issuer.claims()).setProtectedHeader({ alg, typ: 'at+jwt', kid: alg });
    expect((await requestAs(`Bearer ${await token.sign(signers.get(alg) as CryptoKey)}`)).status).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, () => string] => [
      `the algorithm "${alg}"`,
      () => unsigned(alg),
    ]),
    [
      'the algorithm none and a signature',
      () =>
        changedToken(
          (_, payload, signature) => `${encodeJwtPart({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
        ),
    ],
    ['an HMAC with the public key as PEM', () => hmacToken(pem)],
    ['an HMAC with the public key as PEM without its last line break', () => hmacToken(pem.trim())],
    ['an HMAC with the public key as DER', () => hmacToken(der)],
    ['an HMAC with the public key as JWK', () => hmacToken(JSON.stringify(issuer.key.jwk))],
    ['an HMAC with the modulus', () => hmacToken(Buffer.from(issuer.key.jwk.n as string, 'base64url'))],
    ['an HMAC with the public key and alg RS256', () => hmacToken(pem, { alg: 'RS256' })],
    ['an HMAC with the empty key', () => hmacToken('', { kid: undefined })],

    ['another issuer', () => issuer.token({ iss: attacker.url })],
    ['an issuer with a trailing slash', () => issuer.token({ iss: `${issuer.url}/` })],
    ['an issuer in upper case', () => issuer.token({ iss: issuer.url.toUpperCase() })],
    ['no issuer', () => issuer.token({ iss: undefined })],
    ['another audience', () => issuer.token({ aud: 'other' })],
    ['an audience with ours as prefix', () => issuer.token({ aud: 'taproot2' })],
    ['a list of other audiences', () => issuer.token({ aud: ['other', 'Taproot'] })],
    ['no audience', () => issuer.token({ aud: undefined })],

    ['the type of any JWT', () => issuer.token({}, { typ: 'JWT' })],
    ['no type', () => issuer.token({}, { typ: undefined })],
    ['the type and claims of an ID token', () => issuer.token({ nonce: 'n', at_hash: 'h' }, { typ: 'id_token+jwt' })],
    ['the type of a logout token', () => issuer.token({}, { typ: 'logout+jwt' })],

    ['an expiry 45 s ago', () => issuer.token({ exp: nowSeconds() - 45 })],
    ['a start in 45 s', () => issuer.token({ nbf: nowSeconds() + 45 })],
    ['an expiry as text', () => issuer.token({ exp: '2099-01-01' })],
    ['no expiry', () => issuer.token({ exp: undefined })],
    ['no time of issue', () => issuer.token({ iat: undefined })],
    ['no subject', () => issuer.token({ sub: undefined })],
    ['an empty subject', () => issuer.token({ sub: '' })],
    ['the subject null', () => issuer.token({ sub: null })],
    ['a subject that PostgreSQL cannot store', () => issuer.token({ sub: 'a\0b' })],
    ['a numeric subject', () => issuer.token({ sub: 7 })],

    ['an unknown key id', () => issuer.token({}, { kid: 'nobody' })],
    ['a numeric key id', () => issuer.token({}, { kid: 1 })],
    ["another key with the issuer's key id", () => issuer.token({}, { kid }, attacker.key)],
    ['another key and no key id', () => issuer.token({}, { kid: undefined }, attacker.key)],
    ['a key that is published for encryption', () => issuer.token({}, {}, forEncryption)],
    ["the key id of the issuer's other key", () => issuer.token({}, { kid: elliptic.kid })],
    ['an unknown critical extension', () => issuer.token({}, { crit: ['x'], x: true })],
    ['an empty list of critical extensions', () => issuer.token({}, { crit: [] })],

    ['no signature', () => changedToken((header, payload) => `${header}.${payload}.`)],
    ['two parts', () => changedToken((header, payload) => `${header}.${payload}`)],
    ['no payload', () => changedToken((header, _, signature) => `${header}..${signature}`)],
    ['no header', () => changedToken((_, payload, signature) => `.${payload}.${signature}`)],
    ['a fourth part', () => `${issuer.token()}.AAAA`],
    ['its last character cut off', () => issuer.token().slice(0, -1)],
    ['its last 10 characters cut off', () => issuer.token().slice(0, -10)],
    [
      'another payload',
      () =>
        changedToken(
          (header, _, signature) => `${header}.${encodeJwtPart({ ...issuer.claims(), sub: 'eve' })}.${signature}`,
        ),
    ],
    [
      'the signature of another token',
      () => changedToken((header, payload) => `${header}.${payload}.${issuer.token().split('.')[2]}`),
    ],
    ['a payload that is not an object', () => signToken({ alg: 'RS256', typ: 'at+jwt', kid }, ['ada'], issuer.key)],
    ['five parts, encrypted', encrypted],
    ['15 KB of garbage', () => 'a'.repeat(15_000)],
    ['only dots', () => '..'],
  ])('is rejected with %s', async (_, token) => {
    expectRefusal(await requestAs(`Bearer ${await token()}`), INVALID);
    await expectGoodOnePasses();
  });

  it.each<[string, object]>([
    ['jwk', { jwk: attacker.key.jwk }],
    ['jku', { jku: `${attacker.url}/jwks` }],
    ['x5u', { x5u: `${attacker.url}/jwks` }],
    ['all of them', { jwk: attacker.key.jwk, jku: `${attacker.url}/jwks`, x5u: `${attacker.url}/jwks` }],
  ])('is not verified with a key from its %s header, and that key is not fetched', async (_, header) => {
    for (const named of [{}, { kid }, { kid: undefined }]) {
      expectRefusal(await requestAs(`Bearer ${issuer.token({}, { ...header, ...named }, attacker.key)}`), INVALID);
      expectRefusal(await requestAs(`Bearer ${attacker.token({}, { ...header, ...named })}`), INVALID);
    }
    expect(attacker.requestedPaths).toEqual([]);
    expect((await requestAs(`Bearer ${issuer.token({}, header)}`)).status).toBe(200);
    expect((await fetch(`${attacker.url}/jwks`)).ok && attacker.requestedPaths.splice(0)).toEqual(['/jwks']);
  });

  it(`is rejected with any single character changed (TEST_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const token = issuer.token();
    const mutants = new Set<string>();
    while (mutants.size < 500) {
      const mutant = mutate(token, random);
      if (!isSame(mutant, token)) mutants.add(mutant);
    }
    const statuses = new Map<number, number>();
    for (const mutant of mutants) {
      const { status } = await requestAs(`Bearer ${mutant}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([[401, 500]]);
    expect((await requestAs(`Bearer ${token}`)).status).toBe(200);
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';

function mutate(token: string, random: () => number): string {
  const at = Math.floor(random() * token.length);
  return token.slice(0, at) + ALPHABET[Math.floor(random() * ALPHABET.length)] + token.slice(at + 1);
}

/** The last character of a signature has unused bits. All other characters are significant. */
function isSame(mutant: string, token: string): boolean {
  const end = token.lastIndexOf('.') + 1;
  const bytes = (text: string): Buffer => Buffer.from(text.slice(end), 'base64url');
  return mutant.startsWith(token.slice(0, end)) && bytes(mutant).equals(bytes(token));
}

describe('the Authorization header', () => {
  it.each([
    ['no token', () => 'Bearer', NEEDED],
    ['an empty token', () => 'Bearer ', NEEDED],
    ['the token alone', () => issuer.token(), NEEDED],
    ['another scheme', () => `Basic ${issuer.token()}`, NEEDED],
    ['a scheme with Bearer as prefix', () => `BearerX ${issuer.token()}`, NEEDED],
    ['a user name and password', () => `Basic ${Buffer.from('ada@acme.test:x').toString('base64')}`, NEEDED],
    ['two tokens', () => `Bearer ${issuer.token()} ${issuer.token()}`, NEEDED],
    ['two tokens and a comma', () => `Bearer ${issuer.token()}, Bearer ${issuer.token()}`, NEEDED],
    ['two tokens and a comma without a space', () => `Bearer ${issuer.token()},${issuer.token()}`, NEEDED],
    ['a parameter', () => `Bearer token="${issuer.token()}"`, NEEDED],
    ['characters not allowed in tokens', () => `Bearer ${issuer.token()}%00`, NEEDED],
  ])('with %s is rejected', async (_, authorization, error) => {
    expectRefusal(await requestAs(authorization()), error);
    await expectGoodOnePasses();
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('accepts the scheme %j', async (scheme) => {
    expect((await requestAs(`${scheme} ${issuer.token()}`)).status).toBe(200);
  });

  it('beyond 16 KiB returns 431', async () => {
    const { status, body } = await requestAs(`Bearer ${issuer.token({ groups: 'x'.repeat(16_384) })}`);
    expect([status, body.error]).toEqual([431, expect.stringMatching(/^HEADERS_TOO_LARGE: /)]);
    await expectGoodOnePasses();
  });

  it('is the only place for a token, not the URL, the body or a cookie', async () => {
    const token = issuer.token();
    const form = 'application/x-www-form-urlencoded';
    const post = (body: string, type: string): [string, RequestInit] => [
      '/api/connector-requests/connector-requests',
      { method: 'POST', body, headers: { 'x-tenant': 'acme', 'content-type': type } },
    ];
    const attempts: [string, RequestInit][] = [
      [`/api/users/me?access_token=${token}`, { headers: { 'x-tenant': 'acme' } }],
      [`/api/users/me?authorization=Bearer%20${token}`, { headers: { 'x-tenant': 'acme' } }],
      ['/api/users/me', { headers: { 'x-tenant': 'acme', cookie: `access_token=${token}; authorization=${token}` } }],
      ['/api/users/me', { headers: { 'x-tenant': 'acme', 'x-authorization': `Bearer ${token}` } }],
      post(`access_token=${token}`, form),
      post(JSON.stringify({ access_token: token, connectorName: 'Acme' }), 'application/json'),
    ];
    for (const [path, init] of attempts) expectRefusal(await service.request(path, init), NEEDED);
    const [path, init] = post(JSON.stringify({ connectorName: 'Acme' }), 'application/json');
    const headers = { ...(init.headers as object), authorization: `Bearer ${token}` };
    expect((await service.request(path, { ...init, headers })).status).toBe(200);
  });
});
