import Koa from 'koa';
import { sendError } from '../../rest-facade/errors.js';
import { AppError } from '../kernel/errors.js';
import type { Metrics } from './metrics.js';

/** Uses a separate port, because the metrics of all workspaces must not be public. */
export function createMetricsApp({ contentType, render }: Metrics): Koa {
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path !== '/metrics') return sendError(ctx, new AppError('NOT_FOUND', 'Only /metrics exists at this port.'));
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Type', contentType);
    ctx.body = await render();
  });
  return app;
}
