import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Router from '@koa/router';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { serveStaticBody } from './static-body.js';

/** Definitions refer to logos by a path of this service, so that the service downloads no logos at run time. */
const FOLDER = join(PROJECT_ROOT, 'catalog');

/** Prevents scripts in a logo that a browser opens as a page. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function addVendorLogos(router: Router): void {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svg'));
  const senders = new Map(files.map((file) => [basename(file), sendLogo(join(FOLDER, file))]));
  router.get('/logos/:file', (ctx, next) => {
    const send = senders.get(ctx.params.file as string);
    if (!send) return next();
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    return send(ctx);
  });
}

const sendLogo = (path: string) =>
  serveStaticBody('image/svg+xml', () => readFileSync(path, 'utf8'), 'public, max-age=86400');
