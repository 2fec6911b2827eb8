import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { FacadeError, sendError } from '../../rest-facade/errors.js';
import type { RestFacade } from '../../rest-facade/index.js';
import { rejectOtherMethods } from '../../rest-facade/method-not-allowed.js';
import { AppError, toAppError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { throttlePerMinute } from '../kernel/throttle.js';
import { commonHeaders } from './common-headers.js';
import { compressResponses } from './compress-responses.js';
import { allowOrigins } from './cors.js';
import { addDocumentationPages } from './documentation-pages.js';
import { addIngestEndpoint, type IngestEndpointServices } from './ingest-endpoint.js';
import type { Metrics } from './metrics.js';
import { addOAuthCallback, type OAuthCallbackServices } from './oauth-callback.js';
import { redactPath } from './redact-path.js';
import { rejectMalformed } from './reject-malformed.js';
import type { ReportError } from './report-error.js';
import { serveStaticBody } from './static-body.js';
import { addVendorLogos } from './vendor-logos.js';

interface StaticDocument {
  readonly path: string;
  readonly type: string;
  readonly text: () => string;
}

export interface AppServices {
  readonly log: Logger;
  readonly report: ReportError;
  readonly metrics: Metrics;
  /** Browser scripts of these origins may read responses. */
  readonly corsOrigins: readonly string[];
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Returns undefined if the service is ready. */
  readonly findFault: () => Promise<AppError | undefined>;
  /** Descriptions of the API, such as the OpenAPI document. */
  readonly documents: readonly StaticDocument[];
  readonly graphql: Middleware;
  readonly subscriptions: Middleware;
  readonly restFacade: RestFacade;
  readonly oauthCallback: OAuthCallbackServices;
  readonly ingestEndpoint: IngestEndpointServices;
  readonly addConsole: (router: Router) => void;
}

const DISCONNECT_CODES = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_WRITE_AFTER_END'];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function createApp(services: AppServices): Koa {
  const { log, report, metrics, corsOrigins, restFacade } = services;
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Context) => {
    if (DISCONNECT_CODES.includes(error.code ?? ''))
      log.debug({ code: error.code }, 'the client disconnected before the end of the response');
    else report(error, String(ctx?.state.requestId));
  });
  const router = createRouter(services);
  app.use(assignRequestId);
  app.use(logRequests(log));
  app.use(metrics.measureRequests);
  app.use(restFacade.cached);
  app.use(setCommonHeaders);
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  app.use(compressResponses);
  app.use(handleErrors(report));
  app.use(rejectMalformed);
  app.use(router.routes() as Middleware);
  app.use(restFacade.routes);
  app.use(rejectOtherMethods(router));
  app.use(() => {
    throw new AppError('NOT_FOUND', 'This URL does not exist.');
  });
  return app;
}

function createRouter({
  report,
  stopping,
  findFault,
  documents,
  graphql,
  subscriptions,
  oauthCallback,
  ingestEndpoint,
  addConsole,
}: AppServices): Router {
  const router = new Router();
  const isReportDue = throttlePerMinute();
  router.get('/healthz', (ctx) => reply(ctx, { status: 'ok' }));
  router.get('/readyz', async (ctx) => {
    if (stopping.aborted) return sendError(ctx, new AppError('UNAVAILABLE', 'The service is stopping.'));
    const fault = await findFault();
    if (!fault) return reply(ctx, { status: 'ready' });
    // Monitors poll often, so the service reports at most one fault per minute.
    if (isReportDue()) report(fault, ctx.state.requestId as string);
    sendError(ctx, fault);
  });
  for (const { path, type, text } of documents) router.get(path, serveStaticBody(type, text));
  addConsole(router);
  addVendorLogos(router);
  addDocumentationPages(router);
  addOAuthCallback(router, oauthCallback);
  addIngestEndpoint(router, ingestEndpoint);
  router.get('/graphql', graphql as never);
  router.post('/graphql', graphql as never);
  router.post('/graphql/stream', subscriptions as never);
  return router;
}

function reply(ctx: Context, body: object): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = body;
}

const assignRequestId: Middleware = (ctx, next) => {
  const own = ctx.req.headers['x-request-id'];
  const requestId = typeof own === 'string' && UUID.test(own) ? own : randomUUID();
  ctx.state.requestId = requestId;
  return next();
};

const setCommonHeaders: Middleware = (ctx, next) => {
  const headers = commonHeaders(ctx);
  // `ctx.set` would take several times longer.
  for (let at = 0; at < headers.length; at += 2) ctx.res.setHeader(headers[at] as string, headers[at + 1] as string);
  return next();
};

function logRequests(log: Logger): Middleware {
  const logRequest = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await next();
    const { requestId } = ctx.state as { requestId: string };
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log.debug({ requestId, method: ctx.method, path: redactPath(ctx), status: ctx.status, ms }, 'request');
  };
  return (ctx, next) => (log.isLevelEnabled('debug') ? logRequest(ctx, next) : next());
}

function handleErrors(report: ReportError): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof FacadeError) return sendError(ctx, thrown);
      report(thrown, ctx.state.requestId as string);
      sendError(ctx, toAppError(thrown));
    }
  };
}
