import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoEmail } from '../../../../src/tenancy/workspaces/seed-demo.js';
import {
  APP_REDIRECT_URI,
  allowRedirectUris,
  aPendingConnection,
  CONNECTED_PAGE,
  CONSENT_PAGE,
  changeUrl,
  completeSignIn,
  countCodeExchanges,
  ENDED_PAGE,
  openPage,
  signInByApp,
  signInByPage,
  startSignIn,
  statusAndTitle,
} from '../../../support/identity/oauth-sign-in.js';
import { HOSTILE_NAME, signInConnectors } from '../../../support/identity/sign-in-connectors.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { queryField } from '../../../support/service/callers.js';
import { statusAndErrorCode } from '../../../support/service/replies.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { aConnectedWorkspace, connect, getInstance } from '../../../support/sources/connected-workspace.js';

const lines: string[] = [];
const { service, provider, vendor } = await aConnectedWorkspace(
  {},
  { log: { write: (line: string) => lines.push(line) } as never, more: signInConnectors },
);
const editor = service.as('editor');
const admin = service.as('admin');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
let exchanges: number;
beforeAll(async () => {
  await allowRedirectUris(service.as('owner'), [APP_REDIRECT_URI]);
  await createTestWorkspace(service, 'other');
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
});
beforeEach(() => {
  exchanges = countCodeExchanges(provider);
});

const arrive = (own = instance, client = editor) => signInByPage(client, provider, own);

describe('the OAuth callback page', () => {
  it('loads no resources, and forbids framing, caching and referrers', async () => {
    const { back, cookie, redirectUri } = await arrive();
    for (const page of [
      await openPage(redirectUri),
      await openPage(back),
      await openPage(back, { cookie }),
      await openPage(back),
    ]) {
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'cache-control': 'no-store, no-transform',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('escapes the names of connector and workspace', async () => {
    const rename = 'mutation ($input: WorkspaceInput!) { updateWorkspace(input: $input) { name } }';
    await queryField(service.as('owner'), rename, { input: { name: `${HOSTILE_NAME}</title>` } });
    const own = (await connect(editor, 'evil', credential)).body.data;
    const { back, cookie } = await arrive(own);
    const consent = await openPage(back);
    vendor.behave('/bearer/me', (_, response) => response.writeHead(500).end());
    for (const { text, title } of [consent, await openPage(back, { cookie })]) {
      expect(text).not.toMatch(/<script|"Co"|'n'|<\/title>.*<\/title>/);
      expect(title).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot; &#39;n&#39;');
    }
    expect(consent.text).toMatch(/<bdi>&lt;script&gt;.*<\/bdi>/); // `<bdi>` isolates the text direction of a name.
    await queryField(service.as('owner'), rename, { input: { name: 'Demo' } });
  });

  it('posts its form to its own address, behind any proxy prefix', async () => {
    expect((await openPage((await arrive()).back)).text).toContain('<form method="post"><p><button>');
  });

  it('reports tokens that do not work', async () => {
    vendor.behave('/oauth2-auth-code-pkce/me', (_, response) => response.writeHead(403).end('{}'), { times: 1 });
    const { back, cookie } = await arrive();
    const { status, title } = await openPage(back, { cookie });
    expect([status, title]).toEqual([200, 'Loopback oauth2-auth-code-pkce is connected, but does not work yet']);
  });

  it('reveals nothing for a state that is missing, repeated or of an unknown workspace', async () => {
    const { back, cookie, redirectUri, state } = await arrive();
    const addresses = [
      redirectUri,
      `${redirectUri}?state=`,
      `${redirectUri}?state=${state}&state=${state}&code=x`,
      `${service.url}/oauth/callback/nobody/x?state=${state}`,
      `${service.url}/oauth/callback/${'a'.repeat(8_000)}/x?state=${state}`,
      `${service.url}/oauth/callback/%00/x?state=${state}`,
    ];
    const pages = await Promise.all(addresses.map((address) => openPage(address, { cookie })));
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([pages[0]?.status, pages[0]?.title]).toEqual([400, 'This sign-in cannot be completed']);
    expect((await openPage(back, { cookie })).status).toBe(200);
  });

  it('rejects the slug of another workspace or connector in the callback URL', async () => {
    const { back, ...signIn } = await arrive();
    const { slug } = (await connect(editor, 'evil', credential)).body.data.connector;
    for (const [from, to] of [
      ['/demo/', '/other/'],
      ['/demo/', '/nobody/'],
      ['/demo/', '/DEMO/'],
      [instance.connector.slug, slug],
    ]) {
      const changed = changeUrl(back, (url) => (url.pathname = url.pathname.replace(from, to)));
      expect(await statusAndTitle(changed, signIn)).toEqual(ENDED_PAGE);
    }
    expect(await statusAndTitle(back, signIn)).toEqual(CONNECTED_PAGE);
  });

  it('accepts one code or error, but no list of codes or errors', async () => {
    const { back, cookie } = await arrive();
    const { status } = await openPage(`${back}&code=x`, { cookie });
    expect(status).toBe(400);
    expect((await openPage(back, { cookie })).status).toBe(200);
  });

  it("reads the code from the vendor's parameter, and sends it under the same name", async () => {
    const own = (await connect(editor, 'renamed', credential)).body.data;
    const { back, cookie } = await arrive(own);
    expect((await openPage(back)).status).toBe(400);
    const code = back.searchParams.get('code') ?? '';
    const renamed = changeUrl(back, ({ searchParams }) => {
      searchParams.set('auth_code', code);
      searchParams.set('code', 'another');
    });
    expect((await openPage(renamed)).title).toBe('Connect Renamed?');
    let sent: Record<string, string> = {};
    vendor.behave('/renamed', (request, response) => {
      sent = JSON.parse(request.body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"renamed-1"}');
    });
    const page = await openPage(renamed, { cookie });
    expect([page.status, page.title]).toEqual([200, 'Renamed is connected, but does not work yet']);
    const { clientId, clientSecret } = credential.authenticationConfig;
    expect(sent).toMatchObject({ client_id: clientId, secret: clientSecret, auth_code: code });
    expect(Object.keys(sent).filter((name) => ['code', 'client_secret'].includes(name))).toEqual([]);
  });

  it('supports only GET, HEAD and POST', async () => {
    const { redirectUri } = await arrive();
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await openPage(redirectUri, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });

  it('logs no code, state or cookie', async () => {
    const { back, cookie, state } = await arrive();
    for (const init of [{}, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, { cookie }])
      await openPage(back, init);
    const failing = await arrive();
    await openPage(`${failing.back}x`, failing);
    const codes = [back, failing.back].map(({ searchParams }) => searchParams.get('code') as string);
    const secrets = [...codes, state, failing.state, cookie.split('=')[1] as string, ...provider.tokenTexts()];
    expect(findLeaks(lines.join(''), [...secrets, ...credential.secrets])).toEqual([]);
    expect(lines.join('')).toContain(`/oauth/callback/demo/${instance.connector.slug}`);
  });
});

describe('the cookie of a sign-in', () => {
  const cookieOf = async (client = editor, own = instance) => {
    const { headers } = await startSignIn(client, own);
    return headers.getSetCookie()[0];
  };

  it('lives for 10 minutes, with HttpOnly and SameSite', async () => {
    expect(await cookieOf()).toMatch(
      /^taproot_oauth_[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('is deleted at the end of the sign-in', async () => {
    const { back, cookie } = await arrive();
    const { headers } = await openPage(back, { cookie });
    const [name] = cookie.split('=');
    expect(headers.getSetCookie()).toEqual([`${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`]);
  });

  it('is unique per sign-in, so that one browser can run two sign-ins concurrently', async () => {
    const other = await aPendingConnection(editor, provider, 'client_secret_post');
    const [one, two] = [await arrive(), await arrive(other)];
    const cookie = `${one.cookie}; ${two.cookie}`;
    for (const { back } of [two, one]) expect((await openPage(back, { cookie })).title).toMatch(/is connected$/);
  });

  it('is set over GraphQL too', async () => {
    const query =
      'mutation ($id: Base62Id!) { a: connectorOauthStart(instanceId: $id) { state } b: connectorOauthStart(instanceId: $id) { state } }';
    const { headers } = await editor.graphql(query, { id: instance.id });
    expect(headers.getSetCookie()).toHaveLength(2);
  });
});

describe('session fixation', () => {
  beforeEach(async () => {
    instance = await aPendingConnection(editor, provider, 'client_secret_post');
  });

  it('COSF by an application: rejects a sign-in of an attacker that a victim completes', async () => {
    const back = await signInByApp(admin, provider, instance);
    expect(statusAndErrorCode(await completeSignIn(editor, back))).toEqual([403, 'FORBIDDEN']);
    expect(await getInstance(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("COSF by the page: asks the victim's browser for consent, with names of user and workspace, and completes nothing", async () => {
    const { back } = await arrive();
    const page = await openPage(back);
    expect([page.status, page.title]).toEqual(CONSENT_PAGE);
    for (const name of [demoEmail('editor'), 'Demo']) expect(page.text).toContain(name);
    expect(countCodeExchanges(provider)).toBe(exchanges);
    expect(await getInstance(editor, instance)).toMatchObject({ credentialStatus: 'manual_validation_required' });
  });

  it("rejects the cookie of another sign-in, such as the attacker's", async () => {
    const [own, other] = [await arrive(), await arrive(instance, admin)];
    expect(await statusAndTitle(own.back, { cookie: other.cookie })).toEqual(CONSENT_PAGE);
    const renamed = `${own.cookie.split('=')[0]}=${other.cookie.split('=')[1]}`;
    expect(await statusAndTitle(own.back, { cookie: renamed })).toEqual(CONSENT_PAGE);
    expect(await statusAndTitle(own.back, own)).toEqual(CONNECTED_PAGE);
  });

  it('rejects a form posted from another site', async () => {
    const { back } = await arrive();
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await statusAndTitle(back, { method: 'POST', headers: { 'sec-fetch-site': site } })).toEqual(CONSENT_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchanges);
    expect(await statusAndTitle(back, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).toEqual(
      CONNECTED_PAGE,
    );
  });

  it('CORF: rejects a code that the victim did not request', async () => {
    const { back, ...own } = await arrive(instance, admin);
    const forged = changeUrl(back, ({ searchParams }) => searchParams.delete('state'));
    expect(await statusAndTitle(forged, own)).toEqual(ENDED_PAGE);
    expect(statusAndErrorCode(await completeSignIn(editor, back, { state: 'x' }))).toEqual([
      400,
      'OAUTH_STATE_INVALID',
    ]);
    expect(countCodeExchanges(provider)).toBe(exchanges);
    expect(await statusAndTitle(back, own)).toEqual(CONNECTED_PAGE);
  });
});

describe('unrequested completions', () => {
  it('replay: completes the sign-in once', async () => {
    const { back, cookie } = await arrive();
    expect(await statusAndTitle(back, { cookie })).toEqual(CONNECTED_PAGE);
    for (const method of ['GET', 'POST']) expect(await statusAndTitle(back, { cookie, method })).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchanges + 1);
  });

  it('replay: completes the sign-in in one of 20 concurrent reloads', async () => {
    const { back, cookie } = await arrive();
    const pages = await Promise.all(Array.from({ length: 20 }, () => statusAndTitle(back, { cookie })));
    expect(pages.filter(([status]) => status === 200)).toEqual([CONNECTED_PAGE]);
    expect(countCodeExchanges(provider)).toBe(exchanges + 1);
  });

  it('prefetch: neither HEAD nor a prefetch request completes the sign-in', async () => {
    const { back, cookie } = await arrive();
    expect((await openPage(back, { cookie, method: 'HEAD' })).status).toBe(200);
    for (const purpose of ['prefetch', 'prefetch;prerender'])
      expect(await statusAndTitle(back, { cookie, headers: { 'sec-purpose': purpose } })).toEqual(CONSENT_PAGE);
    expect(countCodeExchanges(provider)).toBe(exchanges);
    expect(await statusAndTitle(back, { cookie })).toEqual(CONNECTED_PAGE);
  });

  it('an unauthenticated request with an error does not end a sign-in', async () => {
    const { back, cookie } = await arrive();
    const error = changeUrl(back, ({ searchParams }) => {
      searchParams.delete('code');
      searchParams.set('error', 'access_denied');
    });
    expect((await openPage(error)).title).toMatch(/was not connected$/);
    expect(await statusAndTitle(back, { cookie })).toEqual(CONNECTED_PAGE);
  });
});
