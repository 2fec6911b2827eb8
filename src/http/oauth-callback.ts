import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ConnectionContext } from '../instances/credentials/connection-context.js';
import { browserCookieName, matchesBrowserSecret } from '../instances/oauth/browser-cookie.js';
import { completeOAuthFlow } from '../instances/oauth/complete-oauth-flow.js';
import { type CallbackFlow, findCallbackFlow } from '../instances/oauth/find-callback-flow.js';
import { callbackUri, OAUTH_CALLBACK_PATH } from '../instances/oauth/redirect-uri.js';
import { AppError, type ErrorCode } from '../kernel/errors.js';
import { WORKSPACE_SLUG } from '../tenancy/authentication/workspace-slug.js';
import type { Caller } from '../tenancy/caller.js';
import { renderOAuthCallbackPage } from './oauth-callback-page.js';

export interface OAuthCallbackServices {
  /** Counts the request towards the limit for public data. Throws TOO_MANY_REQUESTS. */
  readonly admit: (ctx: Context) => Promise<unknown>;
  readonly workspaceIdOf: (slug: string) => Promise<string>;
  readonly contextOf: (caller: Caller, ctx: Context) => ConnectionContext;
  readonly baseUrl: () => string;
}

const ROUTE = `${OAUTH_CALLBACK_PATH}/:workspace/:connector`;
const OWN_PARAMETERS = ['state', 'code', 'error', 'error_description'];

/** The page explains these failures of a sign-in. Other failures lead to an ordinary error response. */
const SIGN_IN_FAILURE_CODES: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'OAUTH_REFUSED',
  'OAUTH_STATE_INVALID',
  'CONFLICT',
  'NOT_FOUND',
];

/**
 * The policy allows only the page's own style and a form that posts to the URL of the page. The other headers protect
 * the code, which a referrer or the length of a compressed page would reveal.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store, no-transform',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Vendors redirect browsers to this page. The browser that started the sign-in completes it immediately. In any other
 * browser, the page asks for confirmation first, because an attacker may have prepared the link.
 */
export function addOAuthCallback(router: Router, services: OAuthCallbackServices): void {
  router.get(ROUTE, (ctx) => handleCallback(ctx, services, isOwnBrowser));
  router.post(ROUTE, (ctx) => handleCallback(ctx, services, isAgreed));
}

type Allows = (ctx: Context, arrival: CallbackFlow, baseUrl: string) => boolean;

async function handleCallback(ctx: Context, services: OAuthCallbackServices, allows: Allows): Promise<void> {
  await services.admit(ctx);
  ctx.set(HEADERS);
  ctx.type = 'text/html';
  const baseUrl = services.baseUrl();
  const arrival = await arrivalAt(ctx, services, baseUrl);
  if (!arrival) {
    ctx.status = 400;
    ctx.body = renderOAuthCallbackPage({ kind: 'unknown' });
  } else if (allows(ctx, arrival, baseUrl)) {
    ctx.body = await complete(arrival, ctx);
    arrival.context.setCookie({ name: browserCookieName(arrival.state, baseUrl), value: '', maxAge: 0 });
  } else if (textOf(ctx.query[arrival.codeParam]) === undefined) {
    // Without a code, there is nothing to confirm. The sign-in stays open, because anyone could have opened this URL.
    ctx.status = 400;
    ctx.body = renderOAuthCallbackPage({
      kind: 'failed',
      ...arrival.names,
      message:
        'The sign-in at the vendor failed or was cancelled. Start the sign-in again from the page of the connection.',
    });
  } else {
    ctx.body = renderOAuthCallbackPage({ kind: 'question', ...arrival.names });
  }
}

async function arrivalAt(
  ctx: Context,
  services: OAuthCallbackServices,
  baseUrl: string,
): Promise<CallbackFlow | undefined> {
  const { workspace = '', connector } = ctx.params as Record<string, string>;
  const state = textOf(ctx.query.state);
  if (!state || !WORKSPACE_SLUG.test(workspace)) return undefined;
  const redirectUri = callbackUri(baseUrl, workspace, connector as string);
  const tenantId = await services.workspaceIdOf(workspace);
  return findCallbackFlow((caller) => services.contextOf(caller, ctx), { tenantId, state, redirectUri });
}

async function complete({ context, names, state, codeParam }: CallbackFlow, ctx: Context): Promise<string> {
  const { query } = ctx;
  const others = Object.entries(query).filter(([name]) => ![...OWN_PARAMETERS, codeParam].includes(name));
  const [code, error] = [textOf(query[codeParam]), textOf(query.error)];
  try {
    const { validation } = await completeOAuthFlow(context, { state, code, error, params: Object.fromEntries(others) });
    return renderOAuthCallbackPage({
      kind: 'done',
      ...names,
      works: validation.status === 'valid',
      message: validation.message,
    });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !SIGN_IN_FAILURE_CODES.includes(thrown.code)) throw thrown;
    ctx.status = 400;
    return renderOAuthCallbackPage({ kind: 'failed', ...names, message: thrown.message });
  }
}

/** Returns false for HEAD, which must change nothing, and for a prefetch, which is not a decision of the user. */
function isOwnBrowser(ctx: Context, { browserHash, state }: CallbackFlow, baseUrl: string): boolean {
  if (ctx.method !== 'GET' || ctx.get('Sec-Purpose').includes('prefetch')) return false;
  return matchesBrowserSecret(ctx.cookies.get(browserCookieName(state, baseUrl)), browserHash);
}

/**
 * Returns whether the browser has posted the form of this page. If the browser sends no `Sec-Fetch-Site`, the form may
 * come from another site, but that site does not know the code from the vendor.
 */
function isAgreed(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  return site === '' || site === 'same-origin';
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
