import { describe, expect, it } from 'vitest';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { baseUrlOf, buildSourceUrl } from '../../../src/sources/source-address.js';
import { aConnection } from '../../support/sources/source-connection.js';

const DOTTED = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$' };

function addressed({ host = '{v}.acme.test', basePath = '', v, schema = { type: 'string' } }: Addressed = {}) {
  return aConnection({
    strategy: {
      addressingConfig: {
        scheme: 'https',
        host,
        basePath,
        variables: [{ name: 'v', source: 'user_input', required: true }],
      },
      configSchema: { type: 'object', properties: { v: schema } },
    },
    config: v === undefined ? {} : { v },
  });
}

interface Addressed {
  host?: string;
  basePath?: string;
  v?: unknown;
  schema?: object;
}

function named(v: string) {
  const variables = [{ name: 'v', source: 'oauth_response' as const, oauthResponsePath: 'v', required: true }];
  const connection = aConnection({
    strategy: { addressingConfig: { host: '{v}', variables } },
    config: { v: 'mine.test' },
  });
  return baseUrlOf(connection, { v }).href;
}

function faultOf(run: () => unknown): ConnectionConfigError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConnectionConfigError) return error;
    throw error;
  }
  throw new Error('there was no fault');
}

describe('the base URL', () => {
  it.each([
    ['{v}.acme.test', 'shop', 'https://shop.acme.test/'],
    ['{v}.acme.test', 'Shop-1', 'https://shop-1.acme.test/'],
    ['{v}', 'git.corp.test', 'https://git.corp.test/'],
    ['{v}', 'git.corp.test:8443', 'https://git.corp.test:8443/'],
    ['{v}', 'git.corp.test:443', 'https://git.corp.test/'],
    ['{v}', '10.0.0.1', 'https://10.0.0.1/'],
    ['{v}', '[::1]:8443', 'https://[::1]:8443/'],
    ['{v}', 'localhost', 'https://localhost/'],
  ])('with host %s accepts the value %s', (host, v, url) => expect(baseUrlOf(addressed({ host, v })).href).toBe(url));

  it('accepts several labels next to fixed text if the schema constrains the field', () => {
    const v = 'xy12345.eu-central-1';
    expect(baseUrlOf(addressed({ v, schema: DOTTED })).host).toBe(`${v}.acme.test`);
    expect(baseUrlOf(addressed({ host: 'api.{v}', v, schema: { enum: [v] } })).host).toBe(`api.${v}`);
    expect(faultOf(() => baseUrlOf(addressed({ v }))).field).toBe('v');
  });

  it.each([
    'evil.test/',
    'evil.test/#',
    'evil.test#',
    'evil.test?',
    'evil.test\\',
    'a@evil',
    'a:b@evil',
    'user:pass@evil.test',
    'a\r\nHost: evil',
    'a\nb',
    'a\tb',
    'a\0',
    'a ',
    ' a',
    '',
    '.',
    '..',
    'a.',
    '.a',
    'a..b',
    '-a',
    'a-',
    'a_b',
    'a%2eevil',
    '%2e',
    '%00',
    'evil。test',
    'evil．test',
    'evil｡test',
    'ｅvil',
    'evіl',
    'é',
    '\ud800',
    'a:80',
    'a:99999',
    'a:80:443',
    'a:',
    ':80',
    '{v}',
    '[::1]',
    'x'.repeat(64),
  ])('rejects %j as a label next to fixed text, with only the name of the field', (v) => {
    for (const schema of [{ type: 'string' }, { pattern: '' }]) {
      const fault = faultOf(() => baseUrlOf(addressed({ v, schema })));
      expect(fault.errorCode).toBe('config_invalid');
      expect(fault.field).toBe('v');
      if (v.length > 3) expect(fault.message).not.toContain(v);
    }
  });

  it.each([
    'evil.test/',
    'evil.test/path',
    'evil.test#',
    'evil.test?x',
    'a@evil.test',
    'a.test:80:90',
    'a.test:99999',
    'a.test:x',
    'a.test:',
    'a.test.',
    'a..test',
    '.test',
    '',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '2130706433',
    '1.2.3.4.5',
    '1.2.3.999',
    '[::1',
    '[fe80::1%25eth0]',
    '[::1]x',
    '[0:0:0:0:0:0:0:1]',
    'evil。test',
    'Ⓐ.test',
    'a.test\r\n',
    'https://evil.test',
    '//evil.test',
    `${'a.'.repeat(127)}test`,
  ])('rejects %j as a whole host', (v) =>
    expect(faultOf(() => baseUrlOf(addressed({ host: '{v}', v }))).field).toBe('v'),
  );

  it.each([
    ['a field that is missing', undefined],
    ['an object', { toString: (): string => 'a' }],
    ['a list', ['a']],
  ])('rejects %s', (_, v) => expect(faultOf(() => baseUrlOf(addressed({ v }))).field).toBe('v'));

  it('validates against the current pattern and enum of the field', () => {
    for (const schema of [{ pattern: '^[a-z]+$' }, { enum: ['a'] }]) {
      expect(faultOf(() => baseUrlOf(addressed({ v: 'b1', schema }))).field).toBe('v');
      expect(baseUrlOf(addressed({ v: 'a', schema })).host).toBe('a.acme.test');
    }
  });

  it('rejects secret fields', () => {
    expect(faultOf(() => baseUrlOf(addressed({ v: 'abc', schema: { secret: true } }))).field).toBe('v');
  });

  it('uses the default of a field without a value', () => {
    expect(baseUrlOf(addressed({ schema: { default: 'login' } })).host).toBe('login.acme.test');
  });

  it('prefers the authentication config to the ingestion config', () => {
    const connection = { ...addressed({ v: 'mine' }), ingestionConfig: { v: 'other' } };
    expect(baseUrlOf(connection).host).toBe('mine.acme.test');
    expect(baseUrlOf({ ...connection, config: {} }).host).toBe('other.acme.test');
  });

  it('keeps values in the path within their segment', () => {
    const path = (v: string) => baseUrlOf(addressed({ host: 'api.acme.test', basePath: '/ex/{v}/api', v })).pathname;
    expect(path('a/b?c#d')).toBe('/ex/a%2Fb%3Fc%23d/api');
    expect(path('%2e%2e')).toBe('/ex/%252e%252e/api');
    for (const v of ['.', '..', 'a\r\nb', '\ud800']) expect(faultOf(() => path(v)).field).toBe('v');
    expect(faultOf(() => baseUrlOf(addressed({ host: 'api.acme.test', basePath: '/a/{v}{v}', v: '.' }))).field).toBe(
      'v',
    );
  });

  it('keeps double braces and text that is not a variable', () => {
    const connection = aConnection({ strategy: { verification: { url: '/q?x={{v}}' } }, config: { v: 'a' } });
    expect(buildSourceUrl(connection, undefined, '/q?x={{v}}').search).toBe('?x={{v}}');
  });

  it.each(['ftp://acme.test', 'javascript:alert(1)', '//acme.test', 'acme.test', '{v}://acme.test', ''])(
    'rejects the template %j',
    (defaultBaseUrl) =>
      expect(() => baseUrlOf(aConnection({ connector: { defaultBaseUrl } }))).toThrow(ConnectionConfigError),
  );

  it("prefers the strategy's template to the connector's", () => {
    const connector = { defaultBaseUrl: 'https://d.test', addressingConfig: { host: 'c.test' } };
    const host = (strategy: object) => baseUrlOf(aConnection({ connector, strategy })).host;
    expect(host({ addressingConfig: { host: 'a.test' }, defaultBaseUrl: 'https://b.test' })).toBe('a.test');
    expect(host({ addressingConfig: null, defaultBaseUrl: 'https://b.test' })).toBe('b.test');
    expect(host({})).toBe('c.test');
    expect(baseUrlOf(aConnection({ connector: { ...connector, addressingConfig: undefined } })).host).toBe('d.test');
  });
});

describe('a host from the token response', () => {
  it.each([
    ['https://acme.my.vendor.test', 'https://acme.my.vendor.test/'],
    ['https://ACME.my.vendor.test/', 'https://acme.my.vendor.test/'],
    ['https://acme.vendor.test:8443', 'https://acme.vendor.test:8443/'],
    ['acme.vendor.test', 'https://acme.vendor.test/'],
  ])('may be %s', (v, url) => expect(named(v)).toBe(url));

  it.each([
    'https://acme.test/path',
    'https://acme.test?x',
    'https://acme.test#x',
    'https://user@acme.test',
    'https://user:pass@acme.test/',
    'http://acme.test',
    'ftp://acme.test/',
    'javascript:/acme.test',
    'https://',
    '//acme.test',
    'https://a\r\nb.test',
    '',
  ])('may not be %j', (v) => expect(faultOf(() => named(v)).field).toBe('v'));

  it('never comes from the configuration', () => {
    const variables = [{ name: 'v', source: 'oauth_response' as const, required: true }];
    const connection = aConnection({
      strategy: { addressingConfig: { host: '{v}', variables } },
      config: { v: 'mine.test' },
    });
    expect(faultOf(() => baseUrlOf(connection)).field).toBe('v');
  });
});
