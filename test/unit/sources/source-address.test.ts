import { describe, expect, it } from 'vitest';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import {
  addressFieldsOf,
  buildSourceUrl,
  ForeignAddressError,
  tokenEndpointOf,
} from '../../../src/sources/source-address.js';
import { aConnection } from '../../support/sources/source-connection.js';

describe('the URL of a request', () => {
  const connection = aConnection({
    connector: { defaultBaseUrl: 'https://api.acme.test/v1/' },
    strategy: { verification: { url: 'https://login.acme.test/{v}/me' } },
    taps: [{ transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/of/{v}/items?by={v}' } }] }],
    config: { v: 'a&b', other: 'canary' },
  });
  const urlOf = (path: string, query = {}) => buildSourceUrl(connection, undefined, path, query).href;

  it('is a path below the base URL', () => {
    expect(urlOf('/me')).toBe('https://api.acme.test/v1/me');
    expect(urlOf('me?a=1#b')).toBe('https://api.acme.test/v1/me?a=1');
    expect(urlOf('')).toBe('https://api.acme.test/v1');
    expect(urlOf('/me?a=1', { a: 2, b: undefined, c: 'd e' })).toBe('https://api.acme.test/v1/me?a=2&c=d+e');
  });

  it('fills in variables of the definition, which may use another origin', () => {
    expect(urlOf('/of/{v}/items?by={v}')).toBe('https://api.acme.test/v1/of/a%26b/items?by=a%26b');
    expect(urlOf('https://login.acme.test/{v}/me')).toBe('https://login.acme.test/a%26b/me');
  });

  it('fills in no variables if the path may come from a response', () => {
    expect(urlOf('/next/{other}')).toBe('https://api.acme.test/v1/next/%7Bother%7D');
    expect(urlOf('https://api.acme.test/next?{other}')).not.toContain('canary');
  });

  it.each([
    'https://evil.test/',
    'https://login.acme.test/x/me',
    'http://api.acme.test/v1/me',
    'https://api.acme.test:8443/v1/me',
    'https://user@api.acme.test/v1/me',
    'javascript:alert(1)',
    'https:',
    '/../admin',
    '/%2e%2e/admin',
    '/..\\admin',
    '..',
    '/a/../../v10',
  ])('is not %j', (path) => expect(() => urlOf(path)).toThrow(ForeignAddressError));

  it.each([
    '//evil.test/a',
    '@evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '.evil.test',
    '?@evil.test',
    '#@evil.test',
  ])('keeps the host for %j', (path) => expect(new URL(urlOf(path)).host).toBe('api.acme.test'));
});

describe('the token endpoint', () => {
  it('is not normalized', () => {
    const tokenEndpoint = 'https://{v}.acme.test/oauth/token?x';
    const connection = aConnection({ strategy: { oauth2Config: { tokenEndpoint } }, config: { v: 'shop' } });
    expect(tokenEndpointOf(connection)).toBe('https://shop.acme.test/oauth/token?x');
    expect(() => tokenEndpointOf(aConnection())).toThrow(ConnectionConfigError);
  });
});

describe('the fields of addresses', () => {
  it('are exactly the fields of URLs to which a secret is sent, and of audiences', () => {
    const user_input = { source: 'user_input' as const };
    const variables = [
      { name: 'base', ...user_input },
      { name: 'site', source: 'oauth_response' as const },
    ];
    const fields = addressFieldsOf(
      aConnection({
        strategy: {
          addressingConfig: { host: '{base}', basePath: '/{site}', variables },
          oauth2Config: {
            tokenEndpoint: 'https://{login}/token',
            authorizeUrl: 'https://{page}/authorize',
            audienceParam: 'https://{audience}',
          },
          verification: { url: 'https://{server}/me' },
        },
        taps: [
          { transportOptions: [{ apiType: 'rest', restConfig: { endpoint: 'https://{files}/a' } }] },
          { transportOptions: [{ apiType: 'graphql', graphqlConfig: { endpoint: '/of/{project}' } }] },
        ],
        config: { unused: 'x' },
      }),
    );
    expect([...fields].sort()).toEqual(['audience', 'base', 'files', 'login', 'page', 'server']);
  });
});

describe('a path with values of one request', () => {
  const connection = aConnection({
    connector: {
      defaultBaseUrl: 'https://api.acme.test/api/v4',
      fieldDiscovery: { endpointTemplate: '/describe/{id}' },
    },
    taps: [
      {
        sync: {
          mode: 'full',
          asyncQuery: {
            statusEndpoint: '/status/{id}',
            recordsEndpoint: '/records/{id}',
            recordsPagination: { type: 'session_page', sessionPage: { pagePath: '/pages/{id}' } },
          },
        },
        transportOptions: [
          {
            apiType: 'rest',
            restConfig: { endpoint: '/items/{id}/{own}' },
            pagination: { type: 'session_page', sessionPage: { pagePath: '/session/{id}' } },
          },
          { apiType: 'rest', restConfig: { endpoint: 'https://{own}.acme.test/{id}' } },
        ],
      },
    ],
    config: { own: 'mine' },
  });
  const urlOf = (path: string, text: string, hasSegments = false) =>
    buildSourceUrl(connection, undefined, path, {}, { id: { text, hasSegments } }).href;

  it.each(['/status/{id}', '/records/{id}', '/pages/{id}', '/session/{id}', '/describe/{id}'])(
    'fills in %s, which the definition contains',
    (path) => expect(urlOf(path, 'a/b?')).toBe(`https://api.acme.test/api/v4${path.replace('{id}', 'a%2Fb%3F')}`),
  );

  it('fills in no path of a response', () => expect(urlOf('/other/{id}', 'a')).toContain('%7Bid%7D'));

  it('keeps slashes of values that are several segments', () =>
    expect(urlOf('/items/{id}/{own}', 'a/b c', true)).toBe('https://api.acme.test/api/v4/items/a/b%20c/mine'));

  it.each(['', '.', '..', 'a/..', 'a//b', 'a\n'])('rejects the value %j', (text) =>
    expect(() => urlOf('/items/{id}/{own}', text, true)).toThrow(ConnectionConfigError),
  );

  it('has no such values in its host', () => {
    const variables = { own: { text: 'evil' }, id: { text: 'a' } };
    const url = buildSourceUrl(connection, undefined, 'https://{own}.acme.test/{id}', {}, variables);
    expect(url.href).toBe('https://mine.acme.test/a');
  });

  it('may repeat the base path in a response', () => {
    expect(urlOf('/api/v4/items?page=2', '')).toBe('https://api.acme.test/api/v4/items?page=2');
    expect(urlOf('/api/v40', '')).toBe('https://api.acme.test/api/v4/api/v40');
    expect(() => urlOf('/api/v4/../admin', '')).toThrow(ForeignAddressError);
  });

  it('sends each item of a list as a parameter', () => {
    const url = buildSourceUrl(connection, undefined, '/a?b=1', { b: ['x', 2] });
    expect(url.search).toBe('?b=x&b=2');
  });
});
