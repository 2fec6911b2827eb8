import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import { serveStaticBody } from './static-body.js';

/** Logos of the included vendors. Definitions refer to them by URL, so that nothing is downloaded at run time. */
const FOLDER = join(PROJECT_ROOT, 'catalog', 'logos');

/** Prevents a logo that a browser opens as a page from running scripts. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function addVendorLogos(router: Router): void {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.svg'))) {
    const send = serveStaticBody('image/svg+xml', readFileSync(join(FOLDER, name)), 'public, max-age=86400');
    router.get(`/logos/${name}`, (ctx) => {
      ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      return send(ctx);
    });
  }
}
