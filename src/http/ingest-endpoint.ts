import type Router from '@koa/router';
import type { Context } from 'koa';
import { readRawBody } from '../../rest-facade/json-body.js';
import type { IngestReceipt } from '../ingest/delivery-intake.js';
import type { IngestServices } from '../ingest/ingest-context.js';
import { parseIngestToken } from '../ingest/ingest-token-text.js';
import { MAX_INGEST_BODY_BYTES, parseIngestBody } from '../ingest/records/parse-ingest-body.js';
import type { IngestEndpoint } from '../ingest/resolve-endpoint.js';
import { identifyDelivery } from '../ingest/senders/delivery-key.js';
import { type HandshakeResponse, respondToHandshake } from '../ingest/senders/handshake.js';
import { type VerifiedSender, verifySender } from '../ingest/senders/verify-sender.js';
import type { InboundSecrets } from '../instances/credentials/load-inbound-secrets.js';
import { AppError } from '../kernel/errors.js';
import { byteLimit } from './byte-limit.js';
import type { RequestRateLimiter } from './request-rate-limiter.js';

export interface IngestEndpointServices {
  readonly ingest: IngestServices;
  readonly limits: RequestRateLimiter;
  /** Counts a request without a valid token. Throws TOO_MANY_REQUESTS above the limit. */
  readonly admitAnonymous: (ctx: Context) => Promise<unknown>;
  /**
   * Throws TOO_MANY_REQUESTS if one more request without a valid token would exceed the limit. Does not count the
   * request.
   */
  readonly requireRemaining: (ctx: Context) => Promise<void>;
  readonly baseUrl: () => string;
}

/** Logs redact the tokens in URLs below this path. */
export const INGEST_PATH = '/ingest';

/** The URL contains the token. No cache may store the response, and no browser may send the URL as a referrer. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/**
 * The endpoint removes these headers from a 401, because they would distinguish an invalid token from an invalid
 * signature.
 */
const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The token alone authorizes a sender without signatures. */
const UNSIGNED_PUSH: VerifiedSender = { isSigned: false };

/** If the body takes longer to arrive, the endpoint resolves the token again. */
const REVALIDATE_AFTER_MS = 500;

/** As in the REST API, a trailing slash makes a different path. */
const STRICT_PATH = { strict: true };

/** Accepts the token in the URL or as a bearer token. */
export function addIngestEndpoint(router: Router, services: IngestEndpointServices): void {
  router.register(INGEST_PATH, ['POST'], (ctx) => handlePush(ctx, services, bearerOf(ctx)), STRICT_PATH);
  router.register(
    `${INGEST_PATH}/:token`,
    ['GET', 'POST'],
    (ctx) => handlePush(ctx, services, ctx.params.token),
    STRICT_PATH,
  );
}

function bearerOf(ctx: Context): string | undefined {
  return /^bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
}

async function handlePush(ctx: Context, services: IngestEndpointServices, token: string | undefined): Promise<void> {
  ctx.set(HEADERS);
  const admitted = await admit(ctx, services, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED')
      for (const name of RATE_LIMIT_HEADERS) ctx.remove(name);
    throw error;
  });
  if ('reply' in admitted) {
    replyToHandshake(ctx, admitted.reply);
    return;
  }
  const data = await accept(ctx, services, admitted);
  ctx.status = 202;
  ctx.body = { data, meta: { requestId: ctx.state.requestId as string, totalCount: null } };
}

interface IdentifiedPush {
  readonly endpoint: IngestEndpoint;
  readonly verified: VerifiedSender;
  readonly body: Buffer;
}

type HandshakeResult = { readonly reply: HandshakeResponse };

/** Verifies the sender before the service parses the records. */
async function admit(
  ctx: Context,
  services: IngestEndpointServices,
  token: string | undefined,
): Promise<IdentifiedPush | HandshakeResult> {
  const opened = await resolveToken(ctx, services, token);
  requireMethod(ctx, opened);
  const { body, isSlow } = await readBody(ctx);
  const endpoint = isSlow ? await revalidateToken(services, token) : opened;
  if (!endpoint.sender) return { endpoint, verified: UNSIGNED_PUSH, body };
  const outcome = verify(ctx, services, endpoint.sender, body, endpoint.token.foundAt);
  return 'reply' in outcome ? outcome : { endpoint, verified: outcome, body };
}

function requireMethod(ctx: Context, { sender }: IngestEndpoint): void {
  const methods = sender && sender.strategy.handshakeKind !== 'none' ? ['GET', 'POST'] : ['POST'];
  if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx, methods.join(', '));
}

async function readBody(ctx: Context): Promise<{ body: Buffer; isSlow: boolean }> {
  if (ctx.method !== 'POST') return { body: Buffer.alloc(0), isSlow: false };
  const begunAt = performance.now();
  const body = await readRawBody(ctx.req, byteLimit(MAX_INGEST_BODY_BYTES));
  return { body, isSlow: performance.now() - begunAt > REVALIDATE_AFTER_MS };
}

function verify(
  ctx: Context,
  { baseUrl }: IngestEndpointServices,
  { strategy, config }: InboundSecrets,
  body: Buffer,
  now: number,
): VerifiedSender | HandshakeResult {
  const { method, querystring: query } = ctx;
  const request = { headers: ctx.req.rawHeaders, body, url: baseUrl() + ctx.originalUrl, method, query };
  const reply = respondToHandshake(strategy, config, request, now);
  if (reply === 'refused') throw unauthenticated();
  if (reply) return { reply };
  if (method !== 'POST') throw methodNotAllowed(ctx, 'POST');
  const verified = verifySender(strategy, config, request, now);
  if (!verified) throw unauthenticated();
  return verified;
}

/**
 * Throws UNAUTHENTICATED for an invalid token, and TOO_MANY_REQUESTS above a rate limit. A request with a well-formed
 * token counts against the token. A request with an invalid token counts against the IP address of its sender. Many
 * senders may share an address. If an address has exceeded its limit, the service therefore looks up only tokens that
 * it has recently found to be valid.
 */
async function resolveToken(
  ctx: Context,
  { ingest, limits, admitAnonymous, requireRemaining: requireLeft }: IngestEndpointServices,
  token = '',
): Promise<IngestEndpoint> {
  const hash = parseIngestToken(token);
  if (hash) await limits.count(ctx, 'ingest', hash);
  if (hash && !ingest.endpoints.hasRecentlyResolved(hash)) await requireLeft(ctx);
  const endpoint = hash && (await ingest.endpoints.resolve(token, hash));
  if (endpoint) return endpoint;
  await admitAnonymous(ctx);
  throw unauthenticated();
}

/** While the body arrived, a user may have revoked the token or replaced the sender's secret. */
async function revalidateToken({ ingest }: IngestEndpointServices, token = ''): Promise<IngestEndpoint> {
  const hash = parseIngestToken(token);
  const endpoint = hash && (await ingest.endpoints.resolve(token, hash));
  if (!endpoint) throw unauthenticated();
  return endpoint;
}

/** The error is the same for an invalid, expired or revoked token, for a deleted tap and for an invalid signature. */
function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'The ingest token is invalid, or the secret or signature of the sender is invalid.',
  );
}

function methodNotAllowed(ctx: Context, methods: string): AppError {
  ctx.set('Allow', methods);
  return new AppError('METHOD_NOT_ALLOWED', `This URL supports only ${methods}.`);
}

function replyToHandshake(ctx: Context, { type, headers, body }: HandshakeResponse): void {
  ctx.set(headers);
  ctx.type = type;
  ctx.body = body;
}

async function accept(
  ctx: Context,
  { ingest }: IngestEndpointServices,
  { endpoint: { token, sender }, verified, body }: IdentifiedPush,
): Promise<IngestReceipt> {
  const identity = identifyDelivery(verified, sender?.strategy, { headers: ctx.req.rawHeaders, body }, token.foundAt);
  const lines = await parseIngestBody(body, ctx.req.headers);
  const text = lines.join('\n');
  const acceptance = await ingest.intake.accept(token, {
    ...identity,
    ...{ credentialId: sender?.credentialId, receivedAt: new Date(token.foundAt) },
    ...{ records: lines.length, body: text, bytes: Buffer.byteLength(text) },
  });
  ingest.endpoints.recordUse(token);
  return acceptance;
}
