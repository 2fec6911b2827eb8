import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { callSource } from '../../../src/sources/calls/call-source.js';
import type { Connection } from '../../../src/sources/connection.js';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { aConfigSchema } from '../../support/catalog/definition-builders.js';
import { type ReceivedRequest, SourceServer } from '../../support/servers/source-server.js';
import { InMemorySessions } from '../../support/sources/in-memory-sessions.js';
import { aConnection } from '../../support/sources/source-connection.js';

let source: SourceServer;
let accepts: (request: ReceivedRequest) => boolean;

beforeAll(async () => {
  source = await new SourceServer((request) => (accepts(request) ? 200 : 401)).open();
});
afterAll(() => source.close());

async function statusOf(connection: Connection): Promise<number> {
  const here = { ...connection, connector: { ...connection.connector, defaultBaseUrl: source.url } };
  const reply = await callSource(
    { connection: here, sessions: new InMemorySessions(), send: source.send },
    { path: '/me' },
  );
  return reply.status;
}

const SECRET = { type: 'string', secret: true };
const pair = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const header = (name: string, value: string) => (request: ReceivedRequest) => request.headers[name] === value;

const BASIC = { type: 'basic', basicConfig: { usernameField: 'email', passwordField: 'password' } } as const;
const DATADOG = { type: 'custom', hook: 'datadog_two_keys', apiKeyConfig: { headerName: 'X-Api' } } as const;

describe.each([
  {
    method: 'api_key_header',
    strategy: { type: 'api_key_header', apiKeyConfig: { headerName: 'X-Api-Key' } } as const,
    good: { apiKey: 'k-1', label: 'x' },
    bad: { apiKey: 'k-2' },
    check: header('x-api-key', 'k-1'),
  },
  {
    method: 'api_key_query',
    strategy: { type: 'api_key_query', apiKeyConfig: { queryParam: 'key' } } as const,
    good: { token: 'a&b c' },
    bad: { token: 'a' },
    check: ({ url }: ReceivedRequest) => url.searchParams.get('key') === 'a&b c',
  },
  {
    method: 'api_key_header with a second key in a query parameter',
    strategy: {
      type: 'api_key_header',
      configSchema: {
        type: 'object',
        properties: { app: { type: 'string', secret: true }, key: { type: 'string', secret: true } },
      },
      apiKeyConfig: {
        ...{ headerName: 'X-Api-Key', keyField: 'key' },
        additionalKeys: [{ field: 'app', queryParam: 'app_key' }],
      },
    } satisfies Partial<StrategyDefinition>,
    good: { key: 'k-1', app: 'a-1' },
    bad: { key: 'k-1', app: 'a-2' },
    check: ({ headers, url }: ReceivedRequest) =>
      headers['x-api-key'] === 'k-1' && url.searchParams.get('app_key') === 'a-1',
  },
  {
    method: 'api_key_query with a second key in a header',
    strategy: {
      type: 'api_key_query',
      configSchema: {
        type: 'object',
        properties: { app: { type: 'string', secret: true }, key: { type: 'string', secret: true } },
      },
      apiKeyConfig: {
        ...{ queryParam: 'key', keyField: 'key' },
        additionalKeys: [{ field: 'app', headerName: 'X-App' }],
      },
    } satisfies Partial<StrategyDefinition>,
    good: { key: 'k-1', app: 'a-1' },
    bad: { key: 'k-1', app: 'a-2' },
    check: ({ headers, url }: ReceivedRequest) => headers['x-app'] === 'a-1' && url.searchParams.get('key') === 'k-1',
  },
  {
    method: 'bearer',
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token' } } as const,
    good: { token: 't-1' },
    bad: { token: 't-2' },
    check: header('authorization', 'Bearer t-1'),
  },
  {
    method: 'bearer with a prefix of its own',
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token', tokenPrefix: 'SSWS' } } as const,
    good: { token: 't-1' },
    bad: { token: 't-2' },
    check: header('authorization', 'SSWS t-1'),
  },
  {
    method: 'bearer with a prefix that ends with an equals sign',
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token', tokenPrefix: 'Token token=' } } as const,
    good: { token: 't-1' },
    bad: { token: 't-2' },
    check: header('authorization', 'Token token=t-1'),
  },
  {
    method: 'bearer in a header of its own, without prefix',
    strategy: { type: 'bearer', bearerConfig: { tokenField: 'token', headerName: 'X-T', tokenPrefix: '' } } as const,
    good: { token: 't-1' },
    bad: { token: 't-2' },
    check: header('x-t', 't-1'),
  },
  {
    method: 'basic',
    strategy: BASIC,
    good: { email: 'ada@acme.test', password: 'pä:ss' },
    bad: { email: 'ada@acme.test', password: 'other' },
    check: header('authorization', pair('ada@acme.test:pä:ss')),
  },
  {
    method: 'basic with a fixed password',
    strategy: { type: 'basic', basicConfig: { usernameField: 'apiKey', passwordValue: 'x' } } as const,
    good: { apiKey: 'k-1' },
    bad: { apiKey: 'k-2' },
    check: header('authorization', pair('k-1:x')),
  },
  {
    method: 'basic with no password',
    strategy: { type: 'basic', basicConfig: { usernameField: 'apiKey', passwordValue: '' } } as const,
    good: { apiKey: 'k-1' },
    bad: { apiKey: 'k-2' },
    check: header('authorization', pair('k-1:')),
  },
  {
    method: 'basic, already encoded',
    strategy: { type: 'basic', preEncodedBasicConfig: { tokenField: 'encoded' } } as const,
    good: { encoded: 'YTpi' },
    bad: { encoded: 'YTpj' },
    check: header('authorization', 'Basic YTpi'),
  },
  {
    method: 'custom with two keys',
    strategy: DATADOG,
    good: { apiKey: 'k-1', applicationKey: 'a-1' },
    bad: { apiKey: 'k-1', applicationKey: 'a-2' },
    check: ({ headers }: ReceivedRequest) => headers['x-api'] === 'k-1' && headers['dd-application-key'] === 'a-1',
  },
])('$method', ({ strategy, good, bad, check }) => {
  it('is accepted with the right credential and rejected with a wrong credential', async () => {
    accepts = check;
    expect(await statusOf(aConnection({ strategy, config: good }))).toBe(200);
    expect(await statusOf(aConnection({ strategy, config: bad }))).toBe(401);
  });

  it('names the field and sends nothing if the credential is missing', async () => {
    const [field = ''] = Object.keys(bad);
    const before = source.requests.length;
    for (const value of [undefined, null, '']) {
      const connection = { ...aConnection({ strategy, config: good }), config: { ...good, [field]: value } };
      await expect(statusOf(connection)).rejects.toThrow(new ConnectionConfigError(field, 'the field has no value.'));
    }
    expect(source.requests).toHaveLength(before);
  });
});

describe('a credential', () => {
  it.each([
    ['X-Api-Key', { type: 'api_key_header', apiKeyConfig: { headerName: 'X-Api-Key' } } as const],
    ['Authorization', { type: 'bearer', bearerConfig: { tokenField: 'apiKey' } } as const],
  ])('that a header %s cannot carry is reported by its field, without the value', async (_, strategy) => {
    for (const apiKey of ['canary\r\nX-Evil: 1', 'canary\0', 'canary→']) {
      const error = await statusOf(aConnection({ strategy, config: { apiKey } })).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(ConnectionConfigError);
      expect(`${error} ${JSON.stringify(error)} ${error.cause ?? ''}`).not.toContain('canary');
    }
  });

  it('must be the only secret field if no setting names it', async () => {
    const strategy = { type: 'api_key_header', apiKeyConfig: { headerName: 'X-Api-Key' } } as const;
    for (const config of [{ apiKey: 'a', token: 'b' }, { label: 'a' }]) {
      await expect(statusOf(aConnection({ strategy, config }))).rejects.toThrow(ConnectionConfigError);
    }
  });

  it('has no colon in its user name, which would shift the start of the password', async () => {
    const connection = aConnection({ strategy: BASIC, config: { email: 'a:b', password: 'c' } });
    await expect(statusOf(connection)).rejects.toMatchObject({ field: 'email' });
  });

  it('is added to the headers of the strategy and of the request, and overrides both', async () => {
    const strategy = {
      type: 'bearer',
      bearerConfig: { tokenField: 'token' },
      extraHeaders: { Accept: 'a/b', 'X-Version': 2, Authorization: 'x' },
    } as const;
    accepts = () => true;
    const connection = aConnection({ strategy, connector: { defaultBaseUrl: source.url }, config: { token: 't-1' } });
    const call = { connection, sessions: new InMemorySessions(), send: source.send };
    await callSource(call, {
      path: '/me',
      method: 'POST',
      json: { q: 1 },
      headers: { Accept: 'c/d', authorization: 'y' },
    });
    const { headers, body, method } = source.last;
    expect(headers).toMatchObject({ accept: 'c/d', 'x-version': '2', authorization: 'Bearer t-1' });
    expect([method, headers['content-type'], body]).toEqual(['POST', 'application/json', '{"q":1}']);
    await callSource(call, { path: '/me', method: 'PUT', text: 'plain' });
    expect([source.last.body, source.last.headers['content-type']]).toEqual(['plain', undefined]);
  });

  it('is sent in extra headers, together with other config fields, unless a field has no value', async () => {
    const configSchema = aConfigSchema({ token: SECRET, developerToken: SECRET, account: { type: 'string' } });
    const strategy = {
      type: 'bearer',
      bearerConfig: { tokenField: 'token' },
      configSchema,
      extraHeaders: {
        ...{ 'X-Developer': '{developerToken}', 'X-Account': 'accounts/{account}', 'X-Manager': '{manager}' },
        ...{ 'X-Text': '{{account}}', 'X-Site': '{account}-{manager}' },
      },
    } as const;
    const config = { token: 't-1', developerToken: 'd-1', account: '42' };
    accepts = () => true;
    expect(await statusOf(aConnection({ strategy, config, ingestionConfig: { manager: '' } }))).toBe(200);
    const { headers } = source.last;
    expect(headers).toMatchObject({ 'x-developer': 'd-1', 'x-account': 'accounts/42', 'x-text': '{{account}}' });
    expect(['x-manager', 'x-site'].filter((name) => name in headers)).toEqual([]);
    expect(await statusOf(aConnection({ strategy, config, ingestionConfig: { manager: '7' } }))).toBe(200);
    expect(source.last.headers).toMatchObject({ 'x-manager': '7', 'x-site': '42-7' });
  });

  it('never appears in the error of a header that cannot carry it', async () => {
    const strategy = {
      type: 'bearer',
      bearerConfig: { tokenField: 'token' },
      extraHeaders: { 'X-Developer': 'a {developerToken}' },
    } as const;
    const connection = aConnection({ strategy, config: { token: 't-1', developerToken: 'canary\r\nX-Evil: 1' } });
    const error = await statusOf(connection).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ConnectionConfigError', field: 'developerToken' });
    expect(`${error} ${error.stack} ${JSON.stringify(error)} ${error.cause ?? ''}`).not.toContain('canary');
  });

  it.each(['nothing', 'constructor', '__proto__', undefined])(
    'with the unknown hook %s is an invalid definition',
    async (hook) => {
      const connection = aConnection({ strategy: { type: 'custom', hook }, config: { apiKey: 'a' } });
      await expect(statusOf(connection)).rejects.toMatchObject({ name: 'ConnectionConfigError', field: 'hook' });
    },
  );
});
