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
  /** What stands behind the question mark, as it came in. */
  readonly query: string;
}

/** The reply, status 200, that proves to a sender that the address is ours. */
export interface HandshakeResponse {
  readonly type: 'text/plain; charset=utf-8' | 'application/json';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Characters that are sent back at the most: bytes, since they are ASCII. */
const MAX_ECHO_CHARACTERS = 1_024;

/** A body beyond this is no handshake. */
const MAX_HANDSHAKE_BYTES = 8 * 1024;

/** No quotes or angle brackets are taken out: the reply is no HTML, and nobody may take it for HTML. */
const VISIBLE = /^[\x20-\x7e]+$/;

/** What is signed for whoever asks can be no JSON object or array, nor hold a separator: else it would do as the signature of a delivery. */
const SIGNABLE = /^[A-Za-z0-9+/=_-]{1,256}$/;

interface Handshake {
  readonly strategy: SenderStrategy;
  readonly config: SenderConfig;
  readonly request: HandshakeRequest;
  readonly query: URLSearchParams;
  /** Whether the sender is who it should be, where it already proves that with the handshake. */
  readonly isVerified: () => boolean;
}

/** `refused` is a handshake that proves too little or asks too much; undefined is none, so that the next convention is tried. */
type Convention = (handshake: Handshake) => HandshakeResponse | 'refused' | undefined;

const CONVENTIONS: Record<InboundHandshakeKind, readonly Convention[]> = {
  none: [],
  echo_query_param: [webSubChallenge, queryParam('validationToken'), queryParam('challenge')],
  echo_body_field: [bodyChallenge],
  echo_header: [oktaChallenge, hookSecret],
  hmac_challenge: [plainToken, crcToken],
};

/**
 * Answers a sender that checks the address before it sends, by the conventions of the strategy's `handshakeKind`. Undefined where
 * the request is no handshake, `refused` where it is one that is to be answered as a wrong signature is.
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
    const answer = convention({ strategy, config, request, query, isVerified });
    if (answer) return answer;
  }
  return undefined;
}

/** WebSub and Meta: GET with `hub.mode`, `hub.challenge` and `hub.verify_token`, the text that was agreed on. */
function webSubChallenge({ strategy, config, request, query }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'GET' || !query.has('hub.challenge')) return undefined;
  const shown = onlyParam(query, 'hub.verify_token') ?? '';
  const agreed = agreedTexts(strategy, config);
  const isAgreed = agreed.map((text) => constantTimeEqual(Buffer.from(shown), text)).includes(true);
  if (!isAgreed && strategy.verificationType !== 'none') return 'refused';
  return plainText(onlyParam(query, 'hub.challenge'));
}

function agreedTexts(strategy: SenderStrategy, config: SenderConfig): Buffer[] {
  const verifyToken = config[VERIFY_TOKEN_FIELD];
  if (typeof verifyToken === 'string' && verifyToken) return [Buffer.from(verifyToken)];
  return senderKeysOf(strategy, config).flatMap((key) => ('secret' in key ? [key.secret] : []));
}

/** Microsoft Graph posts `validationToken`, Dropbox and others ask with `challenge`. No body comes with either. */
function queryParam(name: string): Convention {
  return ({ request, query }) => {
    if (!query.has(name) || request.body.length > 0) return undefined;
    return plainText(onlyParam(query, name));
  };
}

/** Slack posts `{"type":"url_verification","challenge":"..."}`, others the `challenge` alone. */
function bodyChallenge({ request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const body = smallObject(request);
  if (!body || typeof body.challenge !== 'string') return undefined;
  if (body.type !== 'url_verification' && Object.keys(body).length > 1) return undefined;
  if (!isVerified() || !isEchoed(body.challenge)) return 'refused';
  return json({ challenge: body.challenge });
}

/** Okta asks with a GET once, before it sends, and shows what it will show with each delivery. */
function oktaChallenge({ request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const name = 'x-okta-verification-challenge';
  if (request.method !== 'GET' || !hasHeader(request, name)) return undefined;
  const challenge = uniqueHeader(request.headers, name);
  return isVerified() && isEchoed(challenge) ? json({ verification: challenge }) : 'refused';
}

/** Asana posts the secret that it will sign with from then on, and wants it back in the same header. */
function hookSecret({ request }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'POST' || !hasHeader(request, 'x-hook-secret')) return undefined;
  const secret = uniqueHeader(request.headers, 'x-hook-secret');
  return isEchoed(secret) ? { ...plainReply(''), headers: { 'X-Hook-Secret': secret } } : 'refused';
}

/** Zoom posts a `plainToken`, signed as every delivery is, and wants it back with its HMAC-SHA256 in hexadecimal. */
function plainToken({ strategy, config, request, isVerified }: Handshake): HandshakeResponse | 'refused' | undefined {
  const { event, payload } = smallObject(request) ?? {};
  if (event !== 'endpoint.url_validation') return undefined;
  const token = (payload as { plainToken?: unknown } | null | undefined)?.plainToken;
  const mac = isVerified() && macOf(strategy, config, token);
  return mac ? json({ plainToken: token, encryptedToken: mac.toString('hex') }) : 'refused';
}

/** X asks with a `crc_token`, signed by nobody, and wants its HMAC-SHA256 in base64. */
function crcToken({ strategy, config, request, query }: Handshake): HandshakeResponse | 'refused' | undefined {
  if (request.method !== 'GET' || !query.has('crc_token')) return undefined;
  const mac = macOf(strategy, config, onlyParam(query, 'crc_token'));
  return mac ? json({ response_token: `sha256=${mac.toString('base64')}` }) : 'refused';
}

/** By the current secret. */
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
