import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aPendingConnection,
  approveSignIn,
  beginSignIn,
  CONNECTED_PAGE,
  CONSENT_PAGE,
  changeUrl,
  countCodeExchanges,
  ENDED_PAGE,
  openPage,
  signInByPage,
  startSignIn,
  statusAndTitle,
} from '../../../support/identity/oauth-sign-in.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { queryField } from '../../../support/service/callers.js';
import { aConnectedWorkspace, connect } from '../../../support/sources/connected-workspace.js';
import { aFakeVendorConnector } from '../../../support/vendors/fake-vendor-definitions.js';
import { aCodeStrategy } from '../../../support/vendors/vendor-strategies.js';

const EVIL = `<script>alert(1)</script> & "Co" 'n' \u202Eevil`;
const lines: string[] = [];
const { service, provider, vendor } = await aConnectedWorkspace(
  {},
  {
    log: { write: (line: string) => lines.push(line) } as never,
    more: ({ origin, issuer }) => {
      const supportedAuthStrategies = [aCodeStrategy(issuer, 'client_secret_post')];
      return [
        aFakeVendorConnector('evil', { name: EVIL, defaultBaseUrl: `${origin}/bearer`, supportedAuthStrategies }),
      ];
    },
  },
);
const PUBLIC_URL = 'https://taproot.test/base';
const world = await aConnectedWorkspace({ PUBLIC_URL });
const editor = service.as('editor');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeAll(async () => {
  instance = await aPendingConnection(editor, provider, 'client_secret_post');
});

const arrive = (own = instance) => signInByPage(editor, provider, own);

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
    await queryField(service.as('owner'), rename, { input: { name: `${EVIL}</title>` } });
    const own = (await connect(editor, 'evil', credential)).body.data;
    const { back, cookie } = await arrive(own);
    const asked = await openPage(back);
    vendor.behave('/bearer/me', (_, response) => response.writeHead(500).end());
    for (const { text, title } of [asked, await openPage(back, { cookie })]) {
      expect(text).not.toMatch(/<script|"Co"|'n'|<\/title>.*<\/title>/);
      expect(title).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot; &#39;n&#39;');
    }
    expect(asked.text).toMatch(/<bdi>&lt;script&gt;.*<\/bdi>/); // <bdi> isolates the text direction of a name
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
    expect([pages[0]?.status, pages[0]?.title]).toEqual([400, 'This sign-in has ended']);
    expect((await openPage(back, { cookie })).status).toBe(200);
  });

  it('accepts one code or error, but no list of them', async () => {
    const { back, cookie } = await arrive();
    const { status } = await openPage(`${back}&code=x`, { cookie });
    expect(status).toBe(400);
    expect((await openPage(back, { cookie })).status).toBe(200);
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
    const asked = { instanceId: own.id };
    const { headers } = await client.post('/api/connectors/connector-oauth-start', asked);
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

  it('is unique per sign-in, so that one browser can run two concurrently', async () => {
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

describe('with an HTTPS base URL that has a path', () => {
  it('the cookie is limited to this host and to HTTPS, and is recognized behind the proxy', async () => {
    const client = world.service.as('editor');
    const own = await aPendingConnection(client, world.provider, 'client_secret_post');
    const { headers } = await startSignIn(client, own);
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-taproot_oauth_.*; Path=\/; .*; Secure$/);

    const signIn = await beginSignIn(client, own);
    expect(signIn.redirectUri).toBe(`${PUBLIC_URL}/oauth/callback/demo/${own.connector.slug}`);
    const { href } = await approveSignIn(world.provider, signIn);
    const page = await openPage(href.replace(PUBLIC_URL, world.service.url), signIn);
    expect(page.title).toMatch(/is connected$/);
  });
});

describe('unrequested completions', () => {
  let traded: number;
  beforeEach(() => {
    traded = countCodeExchanges(provider);
  });

  it('replay: completes the sign-in once', async () => {
    const { back, cookie } = await arrive();
    expect(await statusAndTitle(back, { cookie })).toEqual(CONNECTED_PAGE);
    for (const method of ['GET', 'POST']) expect(await statusAndTitle(back, { cookie, method })).toEqual(ENDED_PAGE);
    expect(countCodeExchanges(provider)).toBe(traded + 1);
  });

  it('replay: completes the sign-in in one of 20 concurrent reloads', async () => {
    const { back, cookie } = await arrive();
    const pages = await Promise.all(Array.from({ length: 20 }, () => statusAndTitle(back, { cookie })));
    expect(pages.filter(([status]) => status === 200)).toEqual([CONNECTED_PAGE]);
    expect(countCodeExchanges(provider)).toBe(traded + 1);
  });

  it('prefetch: neither HEAD nor a prefetch request completes the sign-in', async () => {
    const { back, cookie } = await arrive();
    expect((await openPage(back, { cookie, method: 'HEAD' })).status).toBe(200);
    for (const purpose of ['prefetch', 'prefetch;prerender'])
      expect(await statusAndTitle(back, { cookie, headers: { 'sec-purpose': purpose } })).toEqual(CONSENT_PAGE);
    expect(countCodeExchanges(provider)).toBe(traded);
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
