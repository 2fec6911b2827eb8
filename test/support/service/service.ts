import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { type Service, startService } from '../../../src/service.js';
import type { BuiltInRole } from '../../../src/tenancy/permissions.js';
import { DEMO_WORKSPACE, demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../database/database.js';
import { localTokenOf } from './local-token.js';
import { multipartRequestFor } from './multipart-request.js';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
  body: any;
}

export interface Client {
  request(path: string, init?: RequestInit): Promise<Reply>;
  /** Sends a JSON body, or a form if `body` has a field `file`. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body: object): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  graphql(query: string, variables?: object): Promise<Reply>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** A running service, itself an unauthenticated client. */
export interface TestService extends Client {
  url: string;
  metricsUrl: string;
  databaseUrl: string;
  dataDir: string;
  /** A client with a built-in role, in its own workspace or another. */
  as(role: BuiltInRole, workspace?: { slug?: string; named?: string }): Client;
  tokenOf(role: BuiltInRole, slug?: string): Promise<string>;
}

/**
 * A running service with its own database and the demo workspace, for one test file. `log` captures its log. `through`
 * maps the database URL to the URL that the service uses.
 */
export function aService(
  env: Record<string, string> = {},
  log?: DestinationStream,
  through = (databaseUrl: string): string => databaseUrl,
): TestService {
  let service: Service;
  let database: TestDatabase;
  const test = {} as TestService;
  beforeAll(async () => {
    database = await aDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'taproot-service-'));
    const settings = {
      PORT: '0',
      DATABASE_URL: through(database.url),
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      INITIAL_SYNC: 'off',
      JOBS: 'off',
      ...CLONED_DATABASE_ENV,
      ...env,
    };
    service = await startService(readConfig(settings), log ? pino({ level: 'trace' }, log) : pino({ level: 'silent' }));
    const { url, metricsUrl } = service;
    Object.assign(test, { url, metricsUrl, databaseUrl: database.url, dataDir });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await rm(test.dataDir, { recursive: true, force: true });
  });
  Object.assign(
    test,
    aClient(test, async () => ({})),
  );
  test.tokenOf = (role, slug) => localTokenOf(test.dataDir, demoEmail(role, slug));
  test.as = (role, { slug = DEMO_WORKSPACE, named = slug } = {}) =>
    aClient(test, async () => ({ authorization: `Bearer ${await test.tokenOf(role, slug)}`, 'x-tenant': named }));
  return test;
}

/** `headers` are sent with every request; headers of a request override them. */
export function aClient(service: { url: string }, headers: () => Promise<Record<string, string>>): Client {
  const client = {} as Client;
  client.request = async (path, init = {}) => {
    const all = { ...(await headers()), ...(init.headers as Record<string, string>) };
    const response = await fetch(service.url + path, { ...init, headers: all });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  client.post = (path, body, headers = {}) => {
    const form = multipartRequestFor(path, body);
    if (form) return client.request(path, { method: 'POST', headers, body: form });
    return client.request(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
  };
  client.patch = (path, body) =>
    client.request(path, { method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify(body) });
  client.delete = (path) => client.request(path, { method: 'DELETE' });
  client.graphql = (query, variables) => client.post('/graphql', { query, variables });
  return client;
}
