import { createHmac } from 'node:crypto';
import type { InboundHandshakeKind } from '../../catalog/model/inbound-auth-strategy.js';
import { VERIFY_TOKEN_FIELD } from '../../catalog/sender-key-fields.js';
import { type SenderStrategy, uniqueHeader } from './sender-claims.js';
import {
  constantTimeEqual,
  type SenderConfig,
  type SenderRequest,
  senderKeysOf,
  verifySender,
} from './verify-sender.js';

export interface HandshakeRequest extends SenderRequest {
  readonly method: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Response with status 200. It proves to the sender that the service owns the URL. */
export interface HandshakeResponse {
  readonly type: 'text/plain; charset=utf-8' | 'application/json';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MAX_ECHO_CHARACTERS = 1_024;

const MAX_HANDSHAKE_BYTES = 8 * 1024;

/** Quotes and angle brackets are safe, because the content type prevents interpretation as HTML. */
const VISIBLE = /^[\x20-\x7e]+$/;

/**
 * Any caller can obtain the HMAC of a token that matches this pattern. The pattern excludes JSON objects, arrays and
 * separators, so that no token equals the signed text of a delivery.
 */
const SIGNABLE = /^[A-Za-z0-9+/=_-]{1,256}$/;

interface Handshake {
  readonly strategy: SenderStrategy;
  readonly config: SenderConfig;
  readonly request: HandshakeRequest;
  readonly query: URLSearchParams;
  /** Verifies the sender, as for a delivery. Only some conventions require this. */
  readonly isVerified: () => boolean;
}

/**
 * Returns `refused` for an invalid or unverified handshake, and undefined if the request does not follow the
 * convention.
 */
type Convention = (handshake: Handshake) => HandshakeResponse | 'refused' | undefined;

const CONVENTIONS: Record<InboundHandshakeKind, readonly Convention[]> = {
  none: [],
  echo_query_param: [webSubChallenge, queryParam('validationToken'), queryParam('challenge')],
  echo_body_field: [bodyChallenge],
  echo_header: [oktaChallenge, hookSecret],
  hmac_challenge: [plainToken, crcToken],
};

/**
 * Returns undefined if the request is not a handshake. For `refused`, the caller must send the same response as for a
 * wrong signature.
 */
export function respondToHandshake(
  strategy: SenderStrategy,
  config: SenderConfig,
  request: HandshakeRequest,
  now: number,
): HandshakeResponse | 'refused' | undefined {
  const query = new URLSearchParams(request.query);
  const isVerified = () => verifySender(strategy, config, request, now) !== undefined;
  for (const convention of CONVENTIONS[strategy.handshakeKind]) {
    const response = convention({ strategy, config, request, query, isVerified });
    if (response) return response;
  }
  return undefined;
}

/**
 * WebSub and Meta: GET with `hub.mode`, `hub.challenge` and `hub.verify_token`. The verify token is a configured shared
 * secret.
 */
function webSubChallenge({ strategy, config, request, query }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'GET' || !query.has('hub.challenge')) return undefined;
  const sent = onlyParam(query, 'hub.verify_token') ?? '';
  const tokens = verifyTokens(strategy, config);
  const matches = tokens.map((token) => constantTimeEqual(Buffer.from(sent), token)).includes(true);
  if (!matches && strategy.verificationType !== 'none') return 'refused';
  return plainText(onlyParam(query, 'hub.challenge'));
}

function verifyTokens(strategy: SenderStrategy, config: SenderConfig): Buffer[] {
  const verifyToken = config[VERIFY_TOKEN_FIELD];
  if (typeof verifyToken === 'string' && verifyToken) return [Buffer.from(verifyToken)];
  return senderKeysOf(strategy, config).flatMap((key) => ('secret' in key ? [key.secret] : []));
}

/**
 * Microsoft Graph: POST with `validationToken`. Dropbox and other senders: GET with `challenge`. Both requests have no
 * body.
 */
function queryParam(name: string): Convention {
  return ({ request, query }) => {
    if (!query.has(name) || request.body.length > 0) return undefined;
    return plainText(onlyParam(query, name));
  };
}

/** Slack: POST of `{"type":"url_verification","challenge":"..."}`. Other senders: POST of `challenge` alone. */
function bodyChallenge({ request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const body = smallObject(request);
  if (!body || typeof body.challenge !== 'string') return undefined;
  if (body.type !== 'url_verification' && Object.keys(body).length > 1) return undefined;
  if (!isVerified() || !isEchoed(body.challenge)) return 'refused';
  return json({ challenge: body.challenge });
}

/** Okta: one GET before the first delivery, with the same credentials as a delivery. */
function oktaChallenge({ request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const name = 'x-okta-verification-challenge';
  if (request.method !== 'GET' || !hasHeader(request, name)) return undefined;
  const challenge = uniqueHeader(request.headers, name);
  return isVerified() && isEchoed(challenge) ? json({ verification: challenge }) : 'refused';
}

/**
 * Asana: the header `X-Hook-Secret` of a POST request contains the secret for later signatures. The response repeats
 * the header.
 */
function hookSecret({ request }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'POST' || !hasHeader(request, 'x-hook-secret')) return undefined;
  const secret = uniqueHeader(request.headers, 'x-hook-secret');
  return isEchoed(secret) ? { ...plainReply(''), headers: { 'X-Hook-Secret': secret } } : 'refused';
}

/**
 * Zoom: POST of a `plainToken`, signed like a delivery. The response contains the token and its HMAC-SHA256 in
 * hexadecimal.
 */
function plainToken({ strategy, config, request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const { event, payload } = smallObject(request) ?? {};
  if (event !== 'endpoint.url_validation') return undefined;
  const token = (payload as { plainToken?: unknown } | null | undefined)?.plainToken;
  const mac = isVerified() && macOf(strategy, config, token);
  return mac ? json({ plainToken: token, encryptedToken: mac.toString('hex') }) : 'refused';
}

/**
 * X (formerly Twitter): unsigned GET with a `crc_token`. The response contains the HMAC-SHA256 of the token in base64.
 */
function crcToken({ strategy, config, request, query }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'GET' || !query.has('crc_token')) return undefined;
  const mac = macOf(strategy, config, onlyParam(query, 'crc_token'));
  return mac ? json({ response_token: `sha256=${mac.toString('base64')}` }) : 'refused';
}

function macOf(strategy: SenderStrategy, config: SenderConfig, token: unknown): Buffer | undefined {
  const [key] = senderKeysOf(strategy, config);
  if (!key || !('secret' in key) || typeof token !== 'string' || !SIGNABLE.test(token)) return undefined;
  return createHmac('sha256', key.secret).update(token).digest();
}

function onlyParam(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

function hasHeader({ headers }: HandshakeRequest, name: string): boolean {
  return headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

function smallObject({ method, body }: HandshakeRequest): Record<string, unknown> | undefined {
  if (method !== 'POST' || body.length > MAX_HANDSHAKE_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isEchoed(text: string | undefined): text is string {
  return text !== undefined && text.length <= MAX_ECHO_CHARACTERS && VISIBLE.test(text);
}

function plainText(text: string | undefined): HandshakeResponse | 'refused' {
  return isEchoed(text) ? plainReply(text) : 'refused';
}

function plainReply(body: string): HandshakeResponse {
  return { type: 'text/plain; charset=utf-8', headers: {}, body };
}

function json(value: object): HandshakeResponse {
  return { type: 'application/json', headers: {}, body: JSON.stringify(value) };
}
