import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aConnectedWorld, connect, read, validate } from '../support/connections.js';
import { findLeaks } from '../support/leaks.js';
import { CLIENT_AUTH_METHODS, PROVIDER_SCOPES } from '../support/oauth-provider.js';
import { answerOf } from '../support/people.js';
import { rowsOf } from '../support/rows.js';
import { APP, aConnection, agree, begin, complete, listAddresses, moved, open, start } from '../support/sign-ins.js';
import { answer, down, echo } from '../support/vendor-behaviours.js';
import { aVendorConnector } from '../support/vendor-definitions.js';
import { aCodeStrategy } from '../support/vendor-strategies.js';

const { service, provider, vendor } = await aConnectedWorld(
  {},
  {
    more: ({ origin, issuer }) => {
      const strategy = aCodeStrategy(issuer, 'client_secret_post');
      const tokenEndpoint = `${origin}/own-token`;
      return [
        aVendorConnector('realm', {
          defaultBaseUrl: undefined,
          addressingConfig: {
            ...{ scheme: 'http', host: new URL(origin).host, basePath: '/{realm}' },
            variables: [
              { name: 'realm', source: 'oauth_response', oauthResponsePath: 'callback.realm', required: true },
            ],
          },
          supportedAuthStrategies: [strategy],
        }),
        aVendorConnector('own-token', {
          defaultBaseUrl: `${origin}/bearer`,
          supportedAuthStrategies: [{ ...strategy, oauth2Config: { ...strategy.oauth2Config, tokenEndpoint } }],
        }),
        aVendorConnector('without-pkce', {
          defaultBaseUrl: `${origin}/bearer`,
          supportedAuthStrategies: [
            { ...strategy, oauth2Config: { ...strategy.oauth2Config, tokenEndpoint, pkce: false } },
          ],
        }),
        aVendorConnector('by-shop', {
          defaultBaseUrl: `${origin}/bearer`,
          ingestionConfigSchema: {
            type: 'object',
            properties: { shop: { type: 'string', pattern: '^[a-z./]+$' } },
            additionalProperties: false,
          },
          supportedAuthStrategies: [
            {
              ...strategy,
              oauth2Config: { ...strategy.oauth2Config, authorizeUrl: 'https://{shop}.example.test/auth' },
            },
          ],
        }),
      ];
    },
  },
);
const editor = service.as('editor');
const owner = service.as('owner');
const credential = provider.credentials.client_secret_post;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeAll(() => listAddresses(owner, [APP]));
beforeEach(async () => {
  instance = await aConnection(editor, provider, 'client_secret_post');
});

const viaApp = async (more: object = {}) => {
  const signIn = await begin(editor, instance, { redirectUri: APP, ...more });
  return agree(provider, signIn);
};

describe('a sign-in', () => {
  it.each(CLIENT_AUTH_METHODS)('is completed by an application, for a client by %s', async (method) => {
    instance = await aConnection(editor, provider, method);
    expect(instance).toMatchObject({ credentialStatus: 'manual_validation_required', hasValidCredentials: false });
    const { status, body } = await complete(editor, await viaApp());
    expect([status, body.data]).toMatchObject([
      200,
      {
        instance: { id: instance.id, connectionStatus: 'idle', credentialStatus: 'valid', hasValidCredentials: true },
        validation: { status: 'valid', success: true, details: { identity: 'ada@vendor.test' } },
        ...{ grantedScopes: ['openid', 'records:read', 'profile:read'], missingScopes: ['offline_access'] },
      },
    ]);
    expect(body.data.credentialMetadataId).toBe(body.data.instance.credentialMetadataId);
  });

  it('ends at a page of the service otherwise, its own for workspace and connector', async () => {
    const signIn = await begin(editor, instance);
    const { slug } = instance.connector;
    expect(signIn.redirectUri).toBe(`${service.url}/oauth/callback/demo/${slug}`);
    const page = await open(await agree(provider, signIn), { cookie: signIn.cookie });
    expect([page.status, page.title]).toEqual([200, 'Loopback oauth2-auth-code-pkce is connected']);
    expect(await read(editor, instance)).toMatchObject({ credentialStatus: 'valid' });
  });

  it('ends at an address of the list to the letter, and stays within 10 minutes', async () => {
    const before = Date.now();
    const { body } = await start(editor, instance, { redirectUri: APP });
    expect(Object.keys(body.data).sort()).toEqual(['authorizeUrl', 'expiresAt', 'state']);
    expect(Buffer.from(body.data.state, 'base64url')).toHaveLength(32);
    const minutes = (Date.parse(body.data.expiresAt) - before) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(10);
    expect(minutes).toBeLessThan(10.5);
  });

  it('makes a new credential record that takes the place of the one before', async () => {
    const { body } = await complete(editor, await viaApp());
    expect(body.data.credentialMetadataId).not.toBe(instance.credentialMetadataId);
    const question = 'query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { credentials { id status } } }';
    const { credentials } = await answerOf(editor, question, { id: instance.id });
    expect(credentials).toEqual([
      { id: body.data.credentialMetadataId, status: 'valid' },
      { id: instance.credentialMetadataId, status: 'superseded' },
    ]);
  });

  it('is in the audit trail from start to end, without state, code and tokens', async () => {
    const back = await viaApp();
    const { body } = await complete(editor, back);
    const ofInstance = "select * from audit_entry where details->>'instanceId' = $1 order by action desc";
    const entries = await rowsOf(service, ofInstance, [instance.id]);
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(['oauth_flow.started', 'oauth_flow.completed']);
    const secrets = [back.searchParams.get('code') as string, back.searchParams.get('state') as string];
    expect(findLeaks(JSON.stringify(entries) + JSON.stringify(body), [...secrets, ...provider.tokenTexts()])).toEqual(
      [],
    );
  });

  it('leaves nothing in the database that would help to complete it', async () => {
    const signIn = await begin(editor, instance);
    const rows = JSON.stringify(await rowsOf(service, 'select * from oauth_flow'));
    expect(findLeaks(rows, [signIn.state, signIn.cookie.split('=')[1] as string])).toEqual([]);
  });

  it('is forgotten a day after its end, when somebody starts another', async () => {
    await begin(editor, instance);
    await rowsOf(service, "update oauth_flow set expires_at = now() - interval '25 hours'");
    await begin(editor, instance);
    expect(await rowsOf(service, 'select count(*)::int from oauth_flow')).toEqual([{ count: 1 }]);
  });
});

describe('scopes of a sign-in', () => {
  const scopesAsked = (address: string) => new URL(address).searchParams.get('scope')?.split(' ');

  it('are those of the strategy', async () => {
    expect(scopesAsked((await begin(editor, instance)).authorizeUrl)).toEqual(PROVIDER_SCOPES);
  });

  it('may be fewer, and then nobody misses the others, at the end of the sign-in or later', async () => {
    const scopes = ['openid', 'profile:read', 'profile:read'];
    const { authorizeUrl } = await begin(editor, instance, { scopes });
    expect(scopesAsked(authorizeUrl)).toEqual(['openid', 'profile:read']);
    const { data } = (await complete(editor, await viaApp({ scopes }))).body;
    expect(data).toMatchObject({ missingScopes: [], validation: { status: 'valid', details: { missingScopes: [] } } });
    expect(data.grantedScopes).not.toContain('records:read');
    expect(await validate(editor, data.instance)).toMatchObject({ details: { missingScopes: [] } });
  });

  it.each([[['offline_access openid']], [['admin:write']], [['RECORDS:READ']], [[]]])(
    'may not be %j',
    async (scopes) => {
      const { status, body } = await start(editor, instance, { scopes });
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: scopes /)]);
    },
  );

  it('that were not granted are named', async () => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', answer(200, { access_token: 'token-17-letters', scope: 'profile:read' }));
    const signIn = await begin(editor, own, { redirectUri: APP });
    const { body } = await complete(editor, await agree(provider, signIn));
    expect(body.data).toMatchObject({ grantedScopes: ['profile:read'], missingScopes: ['records:read'] });
    expect(body.data.instance.connectionStatusMessage).toMatch(
      /did not grant: records:read\. Grant them at the vendor/,
    );
  });

  it('that were not named count as those asked for (RFC 6749, section 5.1)', async () => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', answer(200, { access_token: 'token-17-letters' }));
    const signIn = await begin(editor, own, { redirectUri: APP, scopes: ['records:read'] });
    const { body } = await complete(editor, await agree(provider, signIn));
    expect(body.data).toMatchObject({ grantedScopes: ['records:read'], missingScopes: [] });
  });

  it('repeat no secret that the vendor was sent', async () => {
    const own = await aConnectionTo('own-token');
    const back = await agree(provider, await begin(editor, own, { redirectUri: APP }));
    vendor.behave('/own-token', (call, response) => {
      const scope = `${[...new URLSearchParams(call.body).values()].join(' ')} profile:read`;
      answer(200, { access_token: 'token-17-letters', scope })(call, response);
    });
    const { status, text, body } = await complete(editor, back);
    expect([status, body.data.grantedScopes]).toEqual([200, expect.arrayContaining(['profile:read'])]);
    expect(findLeaks(text, [...credential.secrets, back.searchParams.get('code') as string])).toEqual([]);
    const verifier = new URLSearchParams(vendor.callsTo('/own-token').at(-1)?.body).get('code_verifier') as string;
    expect(findLeaks(text, [verifier])).toEqual([]);
  });
});

it('a sign-in without PKCE sends no challenge and no verifier, and is completed by the state that began it', async () => {
  const { body } = await start(editor, await aConnectionTo('without-pkce'), { redirectUri: APP });
  const { authorizeUrl, state } = body.data;
  expect(authorizeUrl).toContain(`state=${state}`);
  expect(authorizeUrl).not.toContain('code_challenge');
  vendor.behave('/own-token', answer(200, { access_token: 'token-17-letters' }));
  const completed = await complete(editor, new URL(`${APP}?state=${state}&code=code-1`));
  expect(completed.status).toBe(200);
  const sent = new URLSearchParams(vendor.callsTo('/own-token').at(-1)?.body);
  expect([sent.get('code'), sent.has('client_secret'), sent.has('code_verifier')]).toEqual(['code-1', true, false]);
});

describe('a sign-in that comes to nothing', () => {
  it.each([
    ['refuses the code', answer(400, { error: 'invalid_grant' })],
    ['is down', down()],
    ['gives no token', answer(200, {})],
    ['repeats what it was told', echo(400)],
  ])('is told where the vendor %s, and the connection is as it was', async (_, behaviour) => {
    const own = await aConnectionTo('own-token');
    vendor.behave('/own-token', behaviour);
    const back = await agree(provider, await begin(editor, own, { redirectUri: APP }));
    const { status, body } = await complete(editor, back);
    expect([status, body.error]).toEqual([400, 'OAUTH_REFUSED: The vendor did not take the code; start again.']);
    expect(await read(editor, own)).toMatchObject({ credentialMetadataId: own.credentialMetadataId });
  });

  it('is told where somebody says no, by the API and by the page', async () => {
    const signIn = await begin(editor, instance, { redirectUri: APP });
    const { status, body } = await complete(editor, await provider.deny(signIn.authorizeUrl));
    expect([status, body.error]).toEqual([400, 'OAUTH_REFUSED: The vendor refused the sign-in; start again.']);

    const own = await begin(editor, instance);
    await provider.allowRedirect(own.redirectUri);
    const page = await open(await provider.deny(own.authorizeUrl), { cookie: own.cookie });
    expect([page.status, page.title]).toEqual([400, 'Loopback oauth2-auth-code-pkce was not connected']);
  });

  it('needs code or error', async () => {
    const { state } = await begin(editor, instance, { redirectUri: APP });
    const { status } = await editor.post('/api/connectors/connector-oauth-complete', { state });
    expect(status).toBe(400);
    expect((await complete(editor, await viaApp())).status).toBe(200);
  });
});

describe('a sign-in anew', () => {
  it('leaves the old credential at work until its end', async () => {
    const { data } = (await complete(editor, await viaApp())).body;
    const back = await viaApp();
    expect(await validate(editor, data)).toMatchObject({ status: 'valid' });
    expect(await read(editor, instance)).toMatchObject({ credentialMetadataId: data.credentialMetadataId });
    const { body } = await complete(editor, back);
    expect(body.data.credentialMetadataId).not.toBe(data.credentialMetadataId);
    expect((await editor.post('/api/connectors/validate', data)).status).toBe(400);
  });

  it('leaves it at work too where it is refused by vendor or service', async () => {
    const { data } = (await complete(editor, await viaApp())).body;
    const wrong = { authenticationConfig: { clientId: 'x', clientSecret: 'y' } };
    expect((await start(editor, instance, { ...wrong, redirectUri: 'https://evil.test' })).status).toBe(400);
    expect((await start(editor, instance, { ...wrong, scopes: ['admin:write'] })).status).toBe(400);
    await complete(
      editor,
      moved(await viaApp(), ({ searchParams }) => searchParams.set('code', 'wrong')),
    );
    expect(await validate(editor, data)).toMatchObject({ status: 'valid' });
  });

  it('takes a config at its start, which configures the connection first', async () => {
    const other = provider.credentials.client_secret_basic.authenticationConfig;
    const wrong = await aConnectionTo('oauth2-auth-code-pkce', {
      authenticationConfig: { clientId: 'x', clientSecret: 'y' },
    });
    const signIn = await begin(editor, wrong, { redirectUri: APP, authenticationConfig: other });
    expect(new URL(signIn.authorizeUrl).searchParams.get('client_id')).toBe(other.clientId);
    const { body } = await complete(editor, await agree(provider, signIn));
    expect(body.data.instance).toMatchObject({ credentialStatus: 'valid', authenticationConfig: { clientSecret: '' } });
  });
});

describe('parameters that came back with the browser', () => {
  it('say where the source is, where its definition says so', async () => {
    const own = await aConnectionTo('realm');
    const back = await agree(provider, await begin(editor, own, { redirectUri: APP }));
    back.searchParams.set('realm', 'oauth2-auth-code-pkce');
    const { body } = await complete(editor, back);
    expect(body.data.validation).toMatchObject({ status: 'valid' });
    expect(await validate(editor, body.data)).toMatchObject({ status: 'valid' });
  });
});

describe('a start', () => {
  it('names the field of which no address can be made, and is no failure of the service', async () => {
    const { body: made } = await connect(editor, 'by-shop', { ...credential, ingestionConfig: { shop: 'evil.test/' } });
    const { status, body } = await start(editor, made.data);
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: shop: the value cannot be part of a host name.']);
    const question = "select 1 from audit_entry where action = 'oauth_flow.started' and details->>'instanceId' = $1";
    expect(await rowsOf(service, question, [made.data.id])).toEqual([]);
  });

  it('is a conflict where nobody can sign in', async () => {
    const bearer = (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data;
    expect((await start(editor, bearer)).status).toBe(409);
  });

  it('needs the permission', async () => {
    expect((await start(service.as('viewer'), instance)).status).toBe(403);
    expect((await start(service, instance)).status).toBe(401);
  });
});

async function aConnectionTo(key: string, { authenticationConfig } = credential as { authenticationConfig: object }) {
  const { body } = await connect(editor, key, { ...credential, authenticationConfig } as never);
  return body.data;
}
