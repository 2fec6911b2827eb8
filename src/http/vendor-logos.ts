import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Router from '@koa/router';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { serveStaticBody } from './static-body.js';

/**
 * Folder of the logos of the included vendors. Definitions refer to the logos by URL, so that the service downloads
 * nothing at run time.
 */
const FOLDER = join(PROJECT_ROOT, 'catalog');

/** Prevents a logo that a browser opens as a page from running scripts. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function addVendorLogos(router: Router): void {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.svg'))) {
    const send = serveStaticBody('image/svg+xml', readFileSync(join(FOLDER, file)), 'public, max-age=86400');
    router.get(`/logos/${basename(file)}`, (ctx) => {
      ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      return send(ctx);
    });
  }
}
