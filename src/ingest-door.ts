import type Router from '@koa/router';
import type { Context } from 'koa';
import { readRaw } from '../rest-facade/body.js';
import type { Acceptance } from './ingest/accept-batches.js';
import { identifyDelivery } from './ingest/delivery-key.js';
import type { Door } from './ingest/find-door.js';
import { answerHandshake, type HandshakeReply } from './ingest/handshake.js';
import type { IngestParts } from './ingest/ingest-context.js';
import { parseIngestToken } from './ingest/ingest-token-text.js';
import { MAX_SENT, readRecords } from './ingest/read-records.js';
import { type Verified, verifySender } from './ingest/verify-sender.js';
import type { InboundSecrets } from './instances/load-inbound-secrets.js';
import { AppError } from './kernel/errors.js';
import type { RateLimits } from './rate-limits.js';

export interface DoorParts {
  readonly ingest: IngestParts;
  readonly limits: RateLimits;
  /** Counts a request, which comes without a token that opens. Throws TOO_MANY_REQUESTS. */
  readonly admitAnybody: (ctx: Context) => Promise<unknown>;
  /** Throws TOO_MANY_REQUESTS where such a request would be one too many, without counting it. */
  readonly requireLeft: (ctx: Context) => Promise<void>;
  readonly baseUrl: () => string;
}

/** Below it an address holds a token: no log shows what stands there. */
export const DOOR = '/ingest';

/** The token is in the address: it is in no cache, and leads nowhere else. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** They would tell a token that opens from one that does not. */
const COUNTS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Of whom nothing has to be proven, since the token says enough. */
const TRUSTED: Verified = { isSigned: false };

/** Milliseconds for a body to arrive; after that it is asked once more what its token opens. */
const BRIEF = 500;

/** As in the REST interface, a slash at the end makes another address. */
const EXACT = { strict: true };

/** Where senders push records, by a token in the address or as bearer. */
export function addIngestDoor(router: Router, parts: DoorParts): void {
  router.register(DOOR, ['POST'], (ctx) => answer(ctx, parts, bearerOf(ctx)), EXACT);
  router.register(`${DOOR}/:token`, ['GET', 'POST'], (ctx) => answer(ctx, parts, ctx.params.token), EXACT);
}

function bearerOf(ctx: Context): string | undefined {
  return /^bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
}

async function answer(ctx: Context, parts: DoorParts, token: string | undefined): Promise<void> {
  ctx.set(HEADERS);
  const admitted = await admit(ctx, parts, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') for (const name of COUNTS) ctx.remove(name);
    throw error;
  });
  if ('reply' in admitted) {
    shake(ctx, admitted.reply);
    return;
  }
  const data = await accept(ctx, parts, admitted);
  ctx.status = 202;
  ctx.body = { data, meta: { requestId: ctx.state.requestId as string, totalCount: null } };
}

/** What somebody sent who may. */
interface Sent {
  readonly door: Door;
  readonly verified: Verified;
  readonly body: Buffer;
}

type Shaken = { readonly reply: HandshakeReply };

/** Reads what was sent, and finds out whether it comes from whom it should. Nothing of it is looked into before that. */
async function admit(ctx: Context, parts: DoorParts, token: string | undefined): Promise<Sent | Shaken> {
  const opened = await open(ctx, parts, token);
  requireMethod(ctx, opened);
  const { body, isSlow } = await readBody(ctx);
  const door = isSlow ? await reopen(parts, token) : opened;
  if (!door.sender) return { door, verified: TRUSTED, body };
  const outcome = verify(ctx, parts, door.sender, body, door.token.foundAt);
  return 'reply' in outcome ? outcome : { door, verified: outcome, body };
}

/** A GET is for handshakes alone. */
function requireMethod(ctx: Context, { sender }: Door): void {
  const methods = sender && sender.strategy.handshakeKind !== 'none' ? ['GET', 'POST'] : ['POST'];
  if (!methods.includes(ctx.method)) throw otherMethod(ctx, methods.join(', '));
}

async function readBody(ctx: Context): Promise<{ body: Buffer; isSlow: boolean }> {
  if (ctx.method !== 'POST') return { body: Buffer.alloc(0), isSlow: false };
  const begunAt = performance.now();
  const body = await readRaw(ctx.req, MAX_SENT);
  return { body, isSlow: performance.now() - begunAt > BRIEF };
}

function verify(
  ctx: Context,
  { baseUrl }: DoorParts,
  { strategy, config }: InboundSecrets,
  body: Buffer,
  now: number,
): Verified | Shaken {
  const { method, querystring: query } = ctx;
  const request = { headers: ctx.req.rawHeaders, body, url: baseUrl() + ctx.originalUrl, method, query };
  const reply = answerHandshake(strategy, config, request, now);
  if (reply === 'refused') throw stranger();
  if (reply) return { reply };
  if (method !== 'POST') throw otherMethod(ctx, 'POST');
  const verified = verifySender(strategy, config, request, now);
  if (!verified) throw stranger();
  return verified;
}

/**
 * What the token opens. One that opens nothing counts for the address that it came from, one that does for itself. Made-up ones cost no lookup once the
 * address has spent what it may; those that have opened before are not in doubt, since many senders may share an address.
 */
async function open(ctx: Context, { ingest, limits, admitAnybody, requireLeft }: DoorParts, token = ''): Promise<Door> {
  const hash = parseIngestToken(token);
  if (hash) await limits.count(ctx, 'ingest', hash);
  if (hash && !ingest.doors.hasOpened(hash)) await requireLeft(ctx);
  const door = hash && (await ingest.doors.find(token, hash));
  if (door) return door;
  await admitAnybody(ctx);
  throw stranger();
}

/** What the token opens by now: it may be revoked, and who sends be known by another secret. */
async function reopen({ ingest }: DoorParts, token = ''): Promise<Door> {
  const hash = parseIngestToken(token);
  const door = hash && (await ingest.doors.find(token, hash));
  if (!door) throw stranger();
  return door;
}

/** One answer for a token that is wrong, over or revoked, a tap that is gone and a signature that does not fit. */
function stranger(): AppError {
  return new AppError('UNAUTHENTICATED', 'The token or the signature is not valid.');
}

function otherMethod(ctx: Context, methods: string): AppError {
  ctx.set('Allow', methods);
  return new AppError('METHOD_NOT_ALLOWED', `This address answers ${methods}.`);
}

function shake(ctx: Context, { type, headers, body }: HandshakeReply): void {
  ctx.set(headers);
  ctx.type = type;
  ctx.body = body;
}

async function accept(
  ctx: Context,
  { ingest }: DoorParts,
  { door: { token, sender }, verified, body }: Sent,
): Promise<Acceptance> {
  const identity = identifyDelivery(verified, sender?.strategy, { headers: ctx.req.rawHeaders, body }, token.foundAt);
  const lines = await readRecords(body, ctx.req.headers);
  const text = lines.join('\n');
  const acceptance = await ingest.batches.accept(token, {
    ...identity,
    ...{ credentialId: sender?.credentialId, receivedAt: new Date(token.foundAt) },
    ...{ records: lines.length, body: text, bytes: Buffer.byteLength(text) },
  });
  ingest.doors.noteUse(token);
  return acceptance;
}
