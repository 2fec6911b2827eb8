import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { aService } from '../support/service/service.js';

const service = aService();
const run = promisify(execFile);

/** A third party's program: it uses only the document and published packages. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './client.js';

const [, , baseUrl = '', token] = process.argv;
const headers = { Authorization: 'Bearer ' + token, 'X-Tenant': 'demo' };
const client = createClient<paths>({ baseUrl, headers });
const vendors = await client.GET('/api/vendors/platform-vendors', { params: { query: { limit: 250 } } });
if (!vendors.data) throw new Error(vendors.error.error);
const seen: string[] = [];
for (const { slug } of vendors.data.data.items) {
  const vendor = await client.GET('/api/vendors/platform-vendors/{slug}', { params: { path: { slug } } });
  const tree = await client.GET('/api/vendors/platform-vendor-groupings/{vendorSlug}', { params: { path: { vendorSlug: slug } } });
  const names: string[] = tree.data?.data.map(({ vendor }) => vendor.slug) ?? [];
  if (vendor.data?.data.slug !== slug || names.some((name) => name !== slug)) throw new Error(slug);
  seen.push(slug);
}
const connectors = await client.GET('/api/connectors', { params: { query: { limit: 250 } } });
for (const { id, slug } of connectors.data?.data.items ?? []) {
  for (const key of [id, slug]) {
    const { data } = await client.GET('/api/connectors/{id}', { params: { path: { id: key } } });
    const method: string | undefined = data?.data.supportedAuthStrategies[0]?.type;
    if (data?.data.id !== id || method === '') throw new Error(slug);
  }
}
const missing = await client.GET('/api/connectors/{id}', { params: { path: { id: 'nothing_00000000' } } });
const created = await client.POST('/api/connector-requests/connector-requests', { body: { connectorName: 'Acme' } });
if (created.data?.data.status !== 'pending') throw new Error(created.error?.error);
const sentence: string | undefined = missing.error?.error;
console.log(JSON.stringify({ vendors: seen.length, connectors: connectors.data?.data.total, sentence }));
`;

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

interface Example {
  readonly place: string;
  readonly schema: Json;
  readonly example: unknown;
}

/** Returns the examples of media types, parameters and headers, and the examples within schemas. */
function examplesOf(node: Json, place: string): Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema = node, example, examples = {} } = node;
  const own = [
    ...(example === undefined ? [] : [{ place, schema, example }]),
    ...Object.entries<Json>(examples).map(([name, { value }]) => ({
      place: `${place}/${name}`,
      schema,
      example: value,
    })),
  ];
  const below = Object.entries(node).filter(([key]) => !['example', 'examples', 'default', 'enum'].includes(key));
  return [...own, ...below.flatMap(([key, value]) => examplesOf(value, `${place}/${key}`))];
}

/** Forbids unlisted fields in each schema that lists fields. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy.properties ? { additionalProperties: false, ...copy } : copy;
}

describe('schema/openapi.json', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(PROJECT_ROOT, 'node_modules', '.client-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('generates a TypeScript client that compiles and reads the whole catalog', async () => {
    const document = new URL(`file://${join(PROJECT_ROOT, 'schema', 'openapi.json')}`);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'client.ts'), astToString(await openapiTS(document)));
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];
    await run('tsc', [...options, join(folder, 'program.ts')]).catch(({ stdout }) => {
      throw new Error(stdout);
    });
    const { stdout } = await run('node', [join(folder, 'program.js'), service.url, await service.tokenOf('owner')]);
    const { body } = await service.as('owner').graphql('{ platformVendors { total } connectors { total } }');
    expect(JSON.parse(stdout)).toEqual({
      vendors: body.data.platformVendors.total,
      connectors: body.data.connectors.total,
      sentence: 'NOT_FOUND: The connector does not exist.',
    });
  });

  it('marks the fields that every connection, tap and tap definition has as required', async () => {
    const { schemas } = (await service.request('/api/openapi.json')).body.components;
    const audited = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'];
    const status = ['connectionStatus', 'connectionStatusMessage', 'hasValidCredentials'];
    const definition = ['enabledByDefault', 'identityDirectory', 'responseExtraction', 'schema', 'sync'];
    const required = Object.entries({
      TenantConnectorInstance: [...audited, 'grouping', 'connector', ...status],
      ConnectorTap: [...audited, 'name', ...definition, 'transportOptions'],
      TenantConnectorTap: [...audited, 'name', 'enabled', 'tableName'],
      ConnectorTapReference: ['id', 'name'],
    });
    for (const [name, fields] of required) expect(schemas[name].required).toEqual(expect.arrayContaining(fields));
  });

  it.each([
    [
      'post',
      '/api/connectors/connector-oauth-complete',
      400,
      'BAD_REQUEST WORKSPACE_REQUIRED OAUTH_STATE_INVALID OAUTH_REFUSED',
    ],
    ['get', '/api/users/me', 403, 'WORKSPACE_FORBIDDEN FORBIDDEN'],
    ['get', '/api/artifacts/{artifactId}', 400, 'BAD_REQUEST'],
    ['get', '/api/vendors/platform-vendors', 400, 'BAD_REQUEST'],
    ['post', '/ingest', 422, 'IDEMPOTENCY_KEY_REUSED'],
    ['get', '/ingest/{token}', 405, 'METHOD_NOT_ALLOWED'],
    ['get', '/ingest/{token}', 409, 'CONFLICT'],
  ])('lists the codes of %s %s: %i %s', async (method, path, status, codes) => {
    const { paths, components } = (await service.request('/api/openapi.json')).body;
    const [, name] = paths[path][method].responses[status].$ref.split('#/components/responses/');
    const { example, examples } = components.responses[name].content['application/json'];
    const messages = example
      ? [example]
      : Object.values<{ value: { error: string } }>(examples).map(({ value }) => value);
    expect(messages.map(({ error }) => error.split(':')[0])).toEqual(codes.split(' '));
  });

  it.each(['get', 'post'])('describes the handshake response of %s as text or JSON', async (method) => {
    const { paths } = (await service.request('/api/openapi.json')).body;
    const { content } = paths['/ingest/{token}'][method].responses[200];
    expect(Object.keys(content)).toEqual(['text/plain', 'application/json']);
  });

  it('marks a parameter as required if the operation needs it', async () => {
    const { paths } = (await service.request('/api/openapi.json')).body;
    const { parameters } = paths['/api/ingest-tokens'].get;
    const required = parameters.filter((one: { required?: boolean }) => one.required);
    expect(required.map(({ name }: { name: string }) => name)).toEqual(['tenantConnectorTapId']);
    expect((await service.as('owner').request('/api/ingest-tokens')).status).toBe(400);
  });

  it('allows null for a body field only if it has a meaning', async () => {
    const { paths } = (await service.request('/api/openapi.json')).body;
    const { schema } = paths['/api/artifacts/{artifactId}'].patch.requestBody.content['application/json'];
    expect([schema.properties.path.nullable, schema.properties.fileName.nullable]).toEqual([true, undefined]);
    const change = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"fileName":null}' };
    const { body } = await service.as('owner').request(`/api/artifacts/${newId()}`, change);
    expect(body.error).toBe('BAD_REQUEST: fileName may be omitted, but must not be null.');
  });

  it('accepts a PATCH without fields, as documented', async () => {
    const { paths } = (await service.request('/api/openapi.json')).body;
    const changes = Object.entries<Record<string, { requestBody: object }>>(paths).filter(([, { patch }]) => patch);
    expect(changes.length).toBeGreaterThan(2);
    for (const [path, { patch }] of changes) {
      expect([path, patch?.requestBody]).toMatchObject([path, { required: false }]);
      const change = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{}' };
      const { status } = await service.as('owner').request(path.replace(/\{\w+\}/, newId()), change);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('shows example ids that the service accepts as ids', async () => {
    const { text } = await service.request('/api/openapi.json');
    const ids = [...text.matchAll(/"(?=[A-Za-z]*\d)([0-9A-Za-z]{22})"/g)].map(([, id]) => id as string);
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.filter((id) => decodeId(id) === undefined)).toEqual([]);
  });

  it('gives examples that are valid for their own schemas', async () => {
    const { body: document } = await service.request('/api/openapi.json');
    const ajv = formats.default(new Ajv({ strict: false, allErrors: true, formats: { int32: true, double: true } }));
    ajv.addSchema(closed({ $id: 'openapi', components: { schemas: document.components.schemas } }));
    const examples = examplesOf(document, '#');
    expect(examples.length).toBeGreaterThan(100);
    const faults = examples.flatMap(({ place, schema, example }) => {
      const valid = ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
      return valid(example)
        ? []
        : [[place, valid.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)]];
    });
    expect(faults).toEqual([]);
  });

  it('describes each of its tags', async () => {
    const { body } = await service.request('/api/openapi.json');
    const operations = Object.values<Record<string, { tags: string[] }>>(body.paths).flatMap((methods) =>
      Object.values(methods),
    );
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(body.tags.map(({ name }: { name: string }) => name).sort()).toEqual([...used].sort());
  });

  it('equals the document that the service serves', async () => {
    const { body } = await service.request('/api/openapi.json');
    expect(Object.keys(body.paths)).toContain('/api/vendors/platform-vendors');
    expect(body).toMatchObject({ openapi: '3.0.3', info: { version: 'v1' } });
  });
});
