import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { Refusal, replyWithError } from '../rest-facade/errors.js';
import { refuseOtherMethods } from '../rest-facade/methods.js';
import { compressReplies } from './compress-replies.js';
import { allowOrigins } from './cors.js';
import { addIngestDoor, type DoorParts } from './ingest-door.js';
import { keptBody } from './kept-body.js';
import { AppError, toAppError } from './kernel/errors.js';
import { onceAMinute } from './kernel/once-a-minute.js';
import type { Logger } from './log.js';
import { loggedPath } from './logged-path.js';
import type { Metrics } from './metrics.js';
import { addOAuthCallback, type CallbackParts } from './oauth-callback.js';
import { addPages } from './pages.js';
import { refuseMalformed } from './refuse-malformed.js';
import type { ReportError } from './report-error.js';

export interface AppParts {
  readonly log: Logger;
  readonly report: ReportError;
  readonly metrics: Metrics;
  /** Origins whose scripts may read replies. */
  readonly corsOrigins: readonly string[];
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Why the service is not ready to answer, if it is not. */
  readonly findFault: () => Promise<AppError | undefined>;
  readonly openapi: () => object;
  readonly graphql: Middleware;
  readonly restFacade: Middleware;
  readonly oauthCallback: CallbackParts;
  readonly ingestDoor: DoorParts;
}

const CLIENT_LEFT = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_WRITE_AFTER_END'];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** All that is served, in the order in which a request travels. */
export function createApp(parts: AppParts): Koa {
  const { log, report, metrics, corsOrigins, restFacade } = parts;
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (CLIENT_LEFT.includes(error.code ?? '')) log.debug({ code: error.code }, 'the client left before the reply');
    else report(error, String(ctx?.state.requestId));
  });
  const router = createRouter(parts);
  app.use(nameRequest);
  app.use(logRequests(log));
  app.use(metrics.measureRequests);
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  app.use(compressReplies);
  app.use(answerErrors(report));
  app.use(refuseMalformed);
  app.use(router.routes() as Middleware);
  app.use(restFacade);
  app.use(refuseOtherMethods(router));
  app.use(() => {
    throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  });
  return app;
}

/** What is served beside the REST interface. */
function createRouter({ report, stopping, findFault, openapi, graphql, oauthCallback, ingestDoor }: AppParts): Router {
  const router = new Router();
  const isTold = onceAMinute();
  let sendOpenapi: ((ctx: Context) => Promise<void>) | undefined;
  router.get('/healthz', (ctx) => reply(ctx, { status: 'ok' }));
  router.get('/readyz', async (ctx) => {
    if (stopping.aborted) return replyWithError(ctx, new AppError('UNAVAILABLE', 'The service is stopping.'));
    const fault = await findFault();
    if (!fault) return reply(ctx, { status: 'ready' });
    if (isTold()) report(fault, ctx.state.requestId as string); // a monitor asks every few seconds
    replyWithError(ctx, fault);
  });
  router.get('/api/openapi.json', (ctx) => {
    sendOpenapi ??= keptBody('application/json', JSON.stringify(openapi()));
    return sendOpenapi(ctx);
  });
  router.get('/', (ctx) => ctx.redirect('/api/docs'));
  addPages(router);
  addOAuthCallback(router, oauthCallback);
  addIngestDoor(router, ingestDoor);
  router.get('/graphql', graphql as never);
  router.post('/graphql', graphql as never);
  return router;
}

function reply(ctx: Context, body: object): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = body;
}

/** Every request has a UUID: the caller's own, or a new one where that is not a UUID. */
const nameRequest: Middleware = (ctx, next) => {
  const own = ctx.get('X-Request-ID');
  const requestId = UUID.test(own) ? own : randomUUID();
  ctx.state.requestId = requestId;
  ctx.set('X-Request-ID', requestId);
  ctx.set('X-Content-Type-Options', 'nosniff');
  return next();
};

function logRequests(log: Logger): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { requestId } = ctx.state as { requestId: string };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log.debug({ requestId, method: ctx.method, path: loggedPath(ctx), status: ctx.status, ms }, 'request');
  };
}

function answerErrors(report: ReportError): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof Refusal) return replyWithError(ctx, thrown);
      report(thrown, ctx.state.requestId as string);
      replyWithError(ctx, toAppError(thrown));
    }
  };
}
