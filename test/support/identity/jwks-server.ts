import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { close, listen } from '../servers/loopback.js';

export interface JwksSigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The public key as published in the JWKS. */
  readonly jwk: JsonWebKey;
}

const PAIRS = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

/** `published` overrides members of the published JWK. */
export function aSigningKey(alg: keyof typeof PAIRS = 'RS256', published: object = {}): JwksSigningKey {
  const { privateKey, publicKey } = PAIRS[alg]();
  const kid = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig', ...published };
  return { kid, alg, privateKey, publicKey, jwk };
}

const kept = new Map<string, JwksSigningKey>();

/** Creates one key per purpose and process, because generating a key takes 80 ms of CPU time. */
export function keptSigningKey(purpose: string): JwksSigningKey {
  const key = kept.get(purpose) ?? aSigningKey();
  kept.set(purpose, key);
  return key;
}

export function encodeJwtPart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Does not use a token library, because libraries refuse to create most invalid tokens. */
export function signToken(header: object, claims: object, { privateKey }: JwksSigningKey): string {
  const text = `${encodeJwtPart(header)}.${encodeJwtPart(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** An issuer on loopback. Tests can change its documents at any time. */
export class JwksServer {
  key = aSigningKey();
  keys: object[] = [this.key.jwk];
  keysStatus = 200;
  document: unknown;
  requestedPaths: string[] = [];
  /** Number of connections opened so far. */
  connections = 0;
  url: string;
  #server = createServer((request, response) => {
    const { pathname } = new URL(request.url as string, this.url);
    this.requestedPaths.push(pathname);
    const [status, body] = this.#respond(pathname);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).on('connection', () => this.connections++);

  get settings() {
    return { AUTH_ISSUER: this.url, AUTH_AUDIENCE: 'taproot', EGRESS_ALLOW: '127.0.0.0/8' };
  }

  claims(): Record<string, unknown> {
    return {
      ...{ iss: this.url, aud: 'taproot', sub: 'ada', email: 'ada@acme.test', email_verified: true },
      ...{ iat: nowSeconds(), exp: nowSeconds() + 3_600, jti: randomUUID() },
    };
  }

  /**
   * Returns a valid token with these changes to its claims and header parameters. An undefined value removes a claim or
   * parameter.
   */
  token(claims: object = {}, header: object = {}, key: JwksSigningKey = this.key): string {
    const { kid, alg } = key;
    return signToken({ alg, typ: 'at+jwt', kid, ...header }, { ...this.claims(), ...claims }, key);
  }

  /** Reuses the previous port. */
  async open(): Promise<this> {
    this.url = await listen(this.#server, Number(this.url ? new URL(this.url).port : 0));
    this.document ??= { issuer: this.url, jwks_uri: `${this.url}/jwks` };
    return this;
  }

  async close(): Promise<void> {
    await close(this.#server);
  }

  #respond(path: string): [status: number, body?: unknown] {
    if (path === '/jwks') return [this.keysStatus, { keys: this.keys }];
    return path === '/.well-known/openid-configuration' ? [200, this.document] : [404];
  }
}

export function aJwksServer(): Promise<JwksServer> {
  return new JwksServer().open();
}
