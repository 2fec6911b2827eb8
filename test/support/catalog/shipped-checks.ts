import { createHash, createHmac } from 'node:crypto';
import { type JWTVerifyOptions, jwtVerify } from 'jose';
import type { VendorCallRecord } from '../servers/any-host-server.js';
import { basicAuthorization, RSA_KEYS } from './shipped-configs.js';

/** The secrets that the simulated vendor accepts. */
export interface KnownSecrets {
  readonly config: Readonly<Record<string, string>>;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Returns whether the vendor accepts the request. Follows the vendor's documentation, not the definition. */
export type RequestCheck = (call: VendorCallRecord, known: KnownSecrets) => boolean | Promise<boolean>;

export function hasHeaders(
  expected: (config: KnownSecrets['config'], accessToken: string) => Record<string, string>,
): RequestCheck {
  return ({ headers }, { config, accessToken }) =>
    Object.entries(expected(config, accessToken)).every(([name, value]) => headers[name] === value);
}

export const bearerToken = (more: Record<string, string> = {}): RequestCheck =>
  hasHeaders((_, token) => ({ authorization: `Bearer ${token}`, ...more }));

export const bearerKey = (field: string, more: Record<string, string> = {}): RequestCheck =>
  hasHeaders((config) => ({ authorization: `Bearer ${config[field]}`, ...more }));

export function hasForm(expected: (known: KnownSecrets) => Record<string, string>): RequestCheck {
  return ({ headers, body }, known) => {
    const sent = new URLSearchParams(body);
    const right = Object.entries(expected(known)).every(([name, value]) => sent.get(name) === value);
    return right && headers['content-type'] === 'application/x-www-form-urlencoded';
  };
}

export const refreshByForm: RequestCheck = hasForm(({ config, refreshToken }) => ({
  grant_type: 'refresh_token',
  refresh_token: config.refreshToken ?? refreshToken,
  client_id: config.clientId ?? '',
  client_secret: config.clientSecret ?? '',
}));

/** Requires a request that `form` accepts, with the client id and secret in HTTP Basic. */
export const withClientBasic =
  (form: RequestCheck): RequestCheck =>
  (call, known) => {
    const { clientId = '', clientSecret = '' } = known.config;
    return form(call, known) && call.headers.authorization === `Basic ${basicAuthorization(clientId, clientSecret)}`;
  };

export const refreshByBasic = withClientBasic(
  hasForm(({ refreshToken }) => ({ grant_type: 'refresh_token', refresh_token: refreshToken })),
);

export const clientCredentialsByBasic = withClientBasic(hasForm(() => ({ grant_type: 'client_credentials' })));

/** Requires a form that contains a JWT signed with the customer's private key. */
export function hasSignedJwt(
  parameter: 'assertion' | 'client_assertion',
  expected: (config: KnownSecrets['config']) => JWTVerifyOptions & { claims?: object; form: Record<string, string> },
): RequestCheck {
  return async (call, known) => {
    const { form: parameters, claims = {}, ...options } = expected(known.config);
    const jwt = new URLSearchParams(call.body).get(parameter) ?? '';
    const type: Record<string, string> =
      parameter === 'assertion'
        ? {}
        : { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' };
    return (await isSigned(jwt, options, claims)) && hasForm(() => ({ ...type, ...parameters }))(call, known);
  };
}

async function isSigned(
  jwt: string,
  options: JWTVerifyOptions,
  claims: object,
  key: unknown = RSA_KEYS.publicKey,
): Promise<boolean> {
  try {
    const verified = await jwtVerify(jwt, key as typeof RSA_KEYS.publicKey, { maxTokenAge: 300, ...options });
    const { exp = 0, iat = 0 } = verified.payload;
    return (
      exp - iat <= 600 && Object.entries(claims).every(([name, value]) => `${verified.payload[name]}` === `${value}`)
    );
  } catch {
    return false;
  }
}

/** Key-pair authentication of Snowflake: a JWT whose issuer contains the fingerprint of the public key. */
export const snowflakeKeyPair: RequestCheck = ({ headers }, { config }) => {
  const der = RSA_KEYS.publicKey.export({ type: 'spki', format: 'der' });
  const subject = `${config.account}.${config.user}`.toUpperCase();
  const issuer = `${subject}.SHA256:${createHash('sha256').update(der).digest('base64')}`;
  if (headers['x-snowflake-authorization-token-type'] !== 'KEYPAIR_JWT') return false;
  return isSigned(headers.authorization?.replace('Bearer ', '') ?? '', { issuer, subject, algorithms: ['RS256'] }, {});
};

/** Tableau's sign-in with a connected app: the secret of the app signs a JWT. */
export const tableauConnectedApp: RequestCheck = ({ body }, { config }) => {
  const { credentials } = JSON.parse(body);
  const secret = Buffer.from(config.clientSecret ?? '');
  const options = { issuer: config.clientId, subject: config.subject, audience: 'tableau', algorithms: ['HS256'] };
  const scp = ['tableau:content:read', 'tableau:users:read', 'tableau:groups:read'];
  return credentials.site.contentUrl === config.site && isSigned(credentials.jwt, options, { scp }, secret);
};

/** Requires the OAuth 1.0a signature of NetSuite: HMAC-SHA256 over the method, URL and sorted parameters. */
export const netsuiteTokens: RequestCheck = ({ method, url, headers }, { config }) => {
  const pairs = [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)];
  const given = Object.fromEntries(pairs.map(([, name, value]) => [name, decodeURIComponent(value as string)]));
  const { realm, oauth_signature, ...rest } = given;
  const sorted = [...Object.entries<string>(rest), ...url.searchParams]
    .map((pair) => pair.map((text) => percent(text)).join('='))
    .sort();
  const base = [method, percent(`${url.origin}${url.pathname}`), percent(sorted.join('&'))].join('&');
  const key = `${percent(config.consumerSecret ?? '')}&${percent(config.tokenSecret ?? '')}`;
  const mine = rest.oauth_consumer_key === config.consumerKey && rest.oauth_token === config.tokenId;
  return mine && realm === 'ACME_MAIN' && oauth_signature === createHmac('sha256', key).update(base).digest('base64');
};

function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
