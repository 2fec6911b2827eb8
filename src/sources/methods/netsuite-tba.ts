import { createHmac, randomUUID } from 'node:crypto';
import { setHeader } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import type { SourceRequest } from '../source-request.js';

type Parameter = readonly [name: string, value: string];

/** Signs with token-based authentication: OAuth 1.0a (RFC 5849) with HMAC-SHA256, and the account as the realm. */
export function signNetsuiteRequest(request: SourceRequest, connection: Connection): void {
  const parameters: Parameter[] = [
    ['oauth_consumer_key', requiredField(connection, 'consumerKey')],
    ['oauth_nonce', randomUUID()],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_timestamp', `${Math.floor(Date.now() / 1_000)}`],
    ['oauth_token', requiredField(connection, 'tokenId')],
    ['oauth_version', '1.0'],
  ];
  const base = buildOAuth1SignatureBase(request.method, request.url, parameters);
  const secrets = [requiredField(connection, 'consumerSecret'), requiredField(connection, 'tokenSecret')];
  const signature = createHmac('sha256', secrets.map(encoded).join('&')).update(base).digest('base64');
  const realm = requiredField(connection, 'account').toUpperCase().replaceAll('-', '_');
  const header = [['realm', realm], ...parameters, ['oauth_signature', signature]] as Parameter[];
  const text = header.map(([name, value]) => `${name}="${encoded(value)}"`).join(', ');
  setHeader(request, 'Authorization', `OAuth ${text}`, 'account');
}

/** RFC 5849, section 3.4.1. OAuth 1.0a signs only form bodies. */
export function buildOAuth1SignatureBase(method: string, url: URL, parameters: readonly Parameter[]): string {
  const all = [...url.searchParams, ...parameters].map((pair) => pair.map(encoded) as [string, string]);
  const sorted = all.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const normalized = sorted.map((pair) => pair.join('=')).join('&');
  return [method.toUpperCase(), url.origin + url.pathname, normalized].map(encoded).join('&');
}

/** RFC 5849, section 3.6. `encodeURIComponent` does not encode `!'()*`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Percent-encoded text is ASCII, so this order equals the order of bytes that RFC 5849 requires. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
