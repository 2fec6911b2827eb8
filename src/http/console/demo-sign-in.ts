import type { Context } from 'koa';
import { AppError } from '../../kernel/errors.js';

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Throws FORBIDDEN unless the browser runs on the same computer as the service. The check of `Host` excludes sites
 * whose name resolves to this computer. The check of `X-Forwarded-For` excludes requests that a local proxy forwards.
 */
export function requireLocalBrowser(ctx: Context): void {
  const isLocal =
    LOOPBACK_ADDRESS.test(ctx.req.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(ctx.get('Host')) &&
    !ctx.get('X-Forwarded-For') &&
    !ctx.get('Forwarded') &&
    ['', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'));
  if (!isLocal)
    throw new AppError('FORBIDDEN', 'Demo sign-ins are possible only on the computer that runs the service.');
}
