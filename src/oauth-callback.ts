import type Router from '@koa/router';
import type { Context } from 'koa';
import { completeOAuthFlow } from './instances/complete-oauth-flow.js';
import type { ConnectionContext } from './instances/connection-context.js';
import { type Arrival, findArrival } from './instances/oauth-arrival.js';
import { cookieNameOf, isBrowserSecret } from './instances/oauth-browser.js';
import { CALLBACK_PATH, callbackAddress } from './instances/oauth-callback-address.js';
import { AppError, type ErrorCode } from './kernel/errors.js';
import { callbackPage } from './oauth-callback-page.js';
import type { Caller } from './tenancy/caller.js';
import { WORKSPACE_SLUG } from './tenancy/workspace-slug.js';

export interface CallbackParts {
  /** Counts the request, which comes without a caller. Throws TOO_MANY_REQUESTS. */
  readonly admit: (ctx: Context) => Promise<unknown>;
  readonly workspaceIdOf: (slug: string) => Promise<string>;
  readonly contextOf: (caller: Caller, ctx: Context) => ConnectionContext;
  readonly baseUrl: () => string;
}

const ROUTE = `${CALLBACK_PATH}/:workspace/:connector`;
const OWN_PARAMETERS = ['state', 'code', 'error', 'error_description'];

/** Of a sign-in that came to nothing, which the page tells; all else is for the log. */
const REFUSALS: readonly ErrorCode[] = ['BAD_REQUEST', 'OAUTH_REFUSED', 'OAUTH_STATE_INVALID', 'CONFLICT', 'NOT_FOUND'];

/** Only its own style, and a form that leads back here. The referrer would carry the code away, and so would the length of a compressed page. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store, no-transform',
  'Referrer-Policy': 'no-referrer',
};

/**
 * The page that vendors send browsers back to. The browser that started the sign-in completes it at once; any other is asked first,
 * since it may be that of somebody who was sent a link which another has prepared.
 */
export function addOAuthCallback(router: Router, parts: CallbackParts): void {
  router.get(ROUTE, (ctx) => answer(ctx, parts, isOwnBrowser));
  router.post(ROUTE, (ctx) => answer(ctx, parts, isAgreed));
}

type Allows = (ctx: Context, arrival: Arrival, baseUrl: string) => boolean;

async function answer(ctx: Context, parts: CallbackParts, allows: Allows): Promise<void> {
  await parts.admit(ctx);
  ctx.set(HEADERS);
  ctx.type = 'text/html';
  const baseUrl = parts.baseUrl();
  const arrival = await arrivalAt(ctx, parts, baseUrl);
  if (!arrival) {
    ctx.status = 400;
    ctx.body = callbackPage({ kind: 'unknown' });
  } else if (allows(ctx, arrival, baseUrl)) {
    ctx.body = await complete(arrival, ctx);
    arrival.context.setCookie({ name: cookieNameOf(arrival.state, baseUrl), value: '', maxAge: 0 });
  } else if (textOf(ctx.query.code) === undefined) {
    // Nothing to agree to; the sign-in stays open, since anybody could have opened this address.
    ctx.status = 400;
    ctx.body = callbackPage({ kind: 'failed', ...arrival.names, message: 'The vendor refused the sign-in.' });
  } else {
    ctx.body = callbackPage({ kind: 'question', ...arrival.names });
  }
}

async function arrivalAt(ctx: Context, parts: CallbackParts, baseUrl: string): Promise<Arrival | undefined> {
  const { workspace = '', connector } = ctx.params as Record<string, string>;
  const state = textOf(ctx.query.state);
  if (!state || !WORKSPACE_SLUG.test(workspace)) return undefined;
  const redirectUri = callbackAddress(baseUrl, workspace, connector as string);
  const tenantId = await parts.workspaceIdOf(workspace);
  return findArrival((caller) => parts.contextOf(caller, ctx), { tenantId, state, redirectUri });
}

async function complete({ context, names, state }: Arrival, ctx: Context): Promise<string> {
  const { query } = ctx;
  const others = Object.entries(query).filter(([name]) => !OWN_PARAMETERS.includes(name));
  const [code, error] = [textOf(query.code), textOf(query.error)];
  try {
    const { validation } = await completeOAuthFlow(context, { state, code, error, params: Object.fromEntries(others) });
    return callbackPage({ kind: 'done', ...names, works: validation.status === 'valid', message: validation.message });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !REFUSALS.includes(thrown.code)) throw thrown;
    ctx.status = 400;
    return callbackPage({ kind: 'failed', ...names, message: thrown.message });
  }
}

/** A HEAD must change nothing, and what is fetched ahead was not asked for by anybody yet. */
function isOwnBrowser(ctx: Context, { browserHash, state }: Arrival, baseUrl: string): boolean {
  if (ctx.method !== 'GET' || ctx.get('Sec-Purpose').includes('prefetch')) return false;
  return isBrowserSecret(ctx.cookies.get(cookieNameOf(state, baseUrl)), browserHash);
}

/** The form of this very page: another site could send it too, but does not know the code that came back. */
function isAgreed(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  return site === '' || site === 'same-origin';
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
