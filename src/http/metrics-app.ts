import Koa from 'koa';
import { sendError } from '../../rest-facade/errors.js';
import { AppError } from '../kernel/errors.js';
import type { Metrics } from './metrics.js';

/** `GET /metrics`, for a listener of its own: figures about all workspaces are not for the public port. */
export function createMetricsApp({ contentType, render }: Metrics): Koa {
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path !== '/metrics') return sendError(ctx, new AppError('NOT_FOUND', 'Only /metrics is served here.'));
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Type', contentType);
    ctx.body = await render();
  });
  return app;
}
