import type { DestinationStream } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { BuiltInRole } from '../../../src/tenancy/permissions.js';
import { DEMO_WORKSPACE, demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import { KeptServices } from './kept-services.js';
import { localTokenOf } from './local-token.js';
import { multipartRequestFor } from './multipart-request.js';
import { type RunningService, startRunningService, stopRunningService } from './running-service.js';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
  body: any;
}

export interface Client {
  request(path: string, init?: RequestInit): Promise<Reply>;
  /** Sends a JSON body. If `body` has a field `file`, sends a form. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body: object): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  graphql(query: string, variables?: object): Promise<Reply>;
}

const defaultServices = new KeptServices();

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends requests without credentials. `as` returns a client with credentials. */
export interface TestService extends Client {
  url: string;
  metricsUrl: string;
  databaseUrl: string;
  dataDir: string;
  /**
   * Returns a client of the user with this role in the workspace `slug`. The requests
   * contain the slug `named`, which defaults to `slug`.
   */
  as(role: BuiltInRole, workspace?: { slug?: string; named?: string }): Client;
  tokenOf(role: BuiltInRole, slug?: string): Promise<string>;
}

/**
 * Returns a service with the demo workspace, for one test file. With an argument, starts a new service. Otherwise,
 * earlier test files may have used the service, but it has the rows and files of a new service.
 */
export function aService(
  env?: Record<string, string>,
  log?: DestinationStream,
  through?: (databaseUrl: string) => string,
): TestService {
  if (!env && !log && !through) return aKeptService(defaultServices);
  return serviceOf(() => startRunningService({ env, log, through }), stopRunningService);
}

export function aKeptService(services: KeptServices): TestService {
  return serviceOf(
    () => services.take(),
    (used) => services.giveBack(used),
  );
}

function serviceOf<Running extends RunningService>(
  take: () => Promise<Running>,
  giveBack: (running: Running) => Promise<void>,
): TestService {
  let running: Running;
  const test = {} as TestService;
  beforeAll(async () => {
    running = await take();
    const { service, database, dataDir } = running;
    const { url, metricsUrl } = service;
    Object.assign(test, { url, metricsUrl, databaseUrl: database.url, dataDir });
  });
  afterAll(() => giveBack(running));
  Object.assign(
    test,
    aClient(test, async () => ({})),
  );
  test.tokenOf = (role, slug) => localTokenOf(test.dataDir, demoEmail(role, slug));
  test.as = (role, { slug = DEMO_WORKSPACE, named = slug } = {}) =>
    aClient(test, async () => ({ authorization: `Bearer ${await test.tokenOf(role, slug)}`, 'x-tenant': named }));
  return test;
}

/** Creates a client that sends `headers` with every request. Headers of a request override them. */
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
