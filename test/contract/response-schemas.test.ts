import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { artifactRequests } from '../support/operations/artifact-calls.js';
import { connectionRequests, type OperationRequest } from '../support/operations/connection-calls.js';
import { syncRequests } from '../support/operations/sync-calls.js';
import { tableRequests } from '../support/operations/table-calls.js';
import { tapRequests } from '../support/operations/tap-calls.js';
import { multipartRequestFor } from '../support/service/multipart-request.js';
import type { Reply } from '../support/service/service.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const connected = await aConnectedWorkspace();
const { service } = connected;
const document: Json = JSON.parse(readFileSync(join(PROJECT_ROOT, 'schema', 'openapi.json'), 'utf8'));

/** Makes undocumented fields an error. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties) copy.additionalProperties = false;
  return copy;
}

const ajv = formats.default(new Ajv({ strict: false, allErrors: true, formats: { int32: true, double: true } }));
ajv.addSchema(closed({ $id: 'openapi', components: { schemas: document.components.schemas } }));

function validator(path: string, method: string, status: number): ValidateFunction {
  const response = document.paths[path][method].responses[status];
  const { content } = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response;
  const [{ schema }] = Object.values<Json>(content);
  return ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
}

const owner = service.as('owner');
const PAGES = ['', '?limit=1', '?limit=250', '?offset=1000'];

/** Successful requests for every operation of the document. */
const CALLS: Record<string, (path: string) => Promise<OperationRequest[]>> = {
  platformVendors: async (path) => [...PAGES, '?search=a'].map((query) => ({ address: path + query })),
  platformVendor: (path) => addresses(path, vendorSlugs()),
  platformVendorGroupings: (path) => addresses(path, vendorSlugs()),
  connectors: async (path) => [...PAGES, '?search=a'].map((query) => ({ address: path + query })),
  connector: (path) => addresses(path, connectorKeys()),
  me: async (path) => [{ address: path }],
  inviteUser: async (path) => [
    { address: path, body: { email: 'ada@example.com', roleIds: [await roleId('viewer')] } },
  ],
  invitations: async (path) => PAGES.map((query) => ({ address: path + query })),
  revokeInvite: (path) => addresses(path, invitationIds()),
  createConnectorRequest: async (path) => [
    { address: path, body: { connectorName: 'Acme' } },
    { address: path, body: { connectorName: 'Other', notes: 'Soon.' } },
  ],
  connectorRequests: async (path) => PAGES.map((query) => ({ address: path + query })),
  roles: async (path) => PAGES.map((query) => ({ address: path + query })),
  connectorRequest: (path) => addresses(path, connectorRequestIds()),
  ...connectionRequests(connected, owner),
  ...syncRequests(connected, owner),
  ...artifactRequests(owner),
  ...tableRequests(service, owner),
  ...tapRequests(owner),
};

const made = new Map<string, Promise<OperationRequest[]>>();

function requestsOf(id: string, path: string): Promise<OperationRequest[]> {
  const requests = made.get(id) ?? CALLS[id]?.(path) ?? Promise.resolve([]);
  made.set(id, requests);
  return requests;
}

async function addresses(path: string, values: Promise<string[]>): Promise<OperationRequest[]> {
  return (await values).map((value) => ({ address: path.replace(/\{\w+\}/, value) }));
}

async function fetchField(field: string): Promise<Json> {
  return (await owner.graphql(`{ found: ${field} }`)).body.data.found;
}

async function vendorSlugs(): Promise<string[]> {
  return (await fetchField('platformVendors(limit: 250) { items { slug } }')).items.map(({ slug }: Json) => slug);
}

async function connectorKeys(): Promise<string[]> {
  const { items } = await fetchField('connectors(limit: 250) { items { id slug } }');
  return items.flatMap(({ id, slug }: Json) => [id, slug]);
}

async function roleId(name: string): Promise<string> {
  return (await fetchField('roles { id name }')).find((role: Json) => role.name === name).id;
}

async function invitationIds(): Promise<string[]> {
  return (await fetchField('invitations { items { id } }')).items.map(({ id }: Json) => id);
}

async function connectorRequestIds(): Promise<string[]> {
  return (await fetchField('connectorRequests { items { id } }')).items.map(({ id }: Json) => id);
}

function send(method: string, { address, body }: OperationRequest): Promise<Reply> {
  if (body && multipartRequestFor(address, body)) return owner.post(address, body);
  const headers = { 'content-type': 'application/json' };
  return owner.request(address, { method: method.toUpperCase(), ...(body && { headers, body: JSON.stringify(body) }) });
}

const PATHS = Object.entries<Json>(document.paths).filter(([path]) => path.startsWith('/api/'));
const OPERATIONS = PATHS.flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, id: operation.operationId, operation })),
);
const inOrder = (operations: typeof OPERATIONS) =>
  ['post', 'get', 'put', 'patch', 'delete'].flatMap((method) => operations.filter((one) => one.method === method));

describe.each(inOrder(OPERATIONS))('$method $path', ({ path, method, id, operation }) => {
  it('responds exactly as documented', async () => {
    const success = Number(Object.keys(operation.responses).find((status) => status.startsWith('2')));
    const valid = validator(path, method, success);
    const calls = await requestsOf(id, path);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      const { status, headers, text, body = text } = await send(method, call);
      expect([call, status, valid(body), valid.errors]).toEqual([call, success, true, null]);
      // `no-transform` forbids proxies to compress the response. The length of a compressed response would help an
      // attacker to guess the secret in it. Only POST operations without an `Idempotency-Key` show secrets.
      const showsSecret = method === 'post' && !JSON.stringify(operation.parameters).includes('IdempotencyKey');
      expect(headers.get('cache-control')?.includes('no-transform')).toBe(showsSecret);
      const [type] = Object.keys(operation.responses[success].content);
      expect(headers.get('content-type')?.split(';')[0]).toBe(type);
    }
  });

  it('rejects an unknown query parameter, as documented', async () => {
    const [call] = await requestsOf(id, path);
    const { address } = call as OperationRequest;
    const reply = await send(method, { ...call, address: `${address}${address.includes('?') ? '&' : '?'}nothing=1` });
    const valid = validator(path, method, 400);
    expect([reply.status, valid(reply.body), valid.errors]).toEqual([400, true, null]);
  });

  it('requires a bearer token unless the operation is public', async () => {
    const reply = await service.request(path.replace(/\{\w+\}/, 'none'), { method: method.toUpperCase() });
    if (operation.security) expect(reply.status).not.toBe(401);
    else expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
