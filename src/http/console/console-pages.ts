import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../kernel/errors.js';
import { VERSION } from '../../kernel/project-root.js';
import { serveStaticBody } from '../static-body.js';
import { readConsoleFiles } from './console-files.js';
import type { ConsoleSignIn } from './console-sign-in.js';
import { requireLocalBrowser } from './demo-sign-in.js';

export interface ConsoleServices {
  readonly signIn: ConsoleSignIn;
  /** Counts the request as unauthenticated. Throws TOO_MANY_REQUESTS. */
  readonly admit: (ctx: Context) => Promise<unknown>;
  readonly issueToken: (email: string) => Promise<string>;
}

/** All paths return the same HTML, because the console selects the page in the browser. */
const PAGES = ['/', '/sign-in', '/sign-in/callback', '/w/*page'];

/** Assets never change, because their names contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable';

export function addConsole(router: Router, services: ConsoleServices): void {
  const files = readConsoleFiles();
  if (!files) {
    router.get('/', (ctx) => ctx.redirect('/api/docs'));
    return;
  }
  for (const { path, type, body } of files.assets) router.get(path, serveStaticBody(type, body, FOREVER));
  const sendPage = serveStaticBody('text/html', files.page);
  const policy = contentSecurityPolicy(services.signIn);
  for (const path of PAGES) {
    router.get(path, (ctx) => {
      ctx.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' });
      return sendPage(ctx);
    });
  }
  router.get('/console/settings', (ctx) => sendSettings(ctx, services));
  router.post('/console/demo-tokens/:role', (ctx) => sendDemoToken(ctx, services));
}

function contentSecurityPolicy(signIn: ConsoleSignIn): string {
  const provider = signIn.kind === 'provider' ? ` ${new URL(signIn.issuer).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${provider}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

async function sendSettings(ctx: Context, { signIn, admit }: ConsoleServices): Promise<void> {
  await admit(ctx);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { version: VERSION, signIn };
}

/** Throws NOT_FOUND for a role without a demo user, and FORBIDDEN if the browser is not local. */
async function sendDemoToken(ctx: Context, { signIn, admit, issueToken }: ConsoleServices): Promise<void> {
  await admit(ctx);
  const users = signIn.kind === 'demo' ? signIn.users : [];
  const user = users.find(({ role }) => role === ctx.params.role);
  if (!user) throw new AppError('NOT_FOUND', 'There is no demo user with this role.');
  requireLocalBrowser(ctx);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { token: await issueToken(user.email) };
}
