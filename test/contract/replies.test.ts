import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { aService } from '../support/service.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const service = aService();
const document: Json = JSON.parse(readFileSync(join(PROJECT_ROOT, 'schema', 'openapi.json'), 'utf8'));

/** OpenAPI's dialect as JSON Schema, closed: a field that the document does not name is a fault. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties) copy.additionalProperties = false;
  return copy;
}

const ajv = formats.default(new Ajv({ strict: false, allErrors: true, formats: { int32: true, double: true } }));
ajv.addSchema(closed({ $id: 'openapi', components: { schemas: document.components.schemas } }));

function validator(path: string, status: number): ValidateFunction {
  const response = document.paths[path].get.responses[status];
  const { schema } = (response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response)
    .content['application/json'];
  return ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
}

const samples: Record<string, string[]> = {};

beforeAll(async () => {
  const { body } = await service.graphql(
    '{ platformVendors(limit: 250) { items { slug } } connectors(limit: 250) { items { id slug } } }',
  );
  const vendors = body.data.platformVendors.items.map(({ slug }: { slug: string }) => slug);
  const connectors = body.data.connectors.items.flatMap(({ id, slug }: { id: string; slug: string }) => [id, slug]);
  Object.assign(samples, { slug: vendors, vendorSlug: vendors, id: connectors });
});

describe.each(Object.keys(document.paths))('GET %s', (path) => {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];

  it('answers as documented, to the letter', async () => {
    const valid = validator(path, 200);
    const addresses = parameter
      ? (samples[parameter] as string[]).map((value) => path.replace(`{${parameter}}`, value))
      : ['', '?limit=1', '?limit=250', '?offset=1000', '?search=a'].map((query) => path + query);
    for (const address of addresses) {
      const { status, body } = await service.request(address);
      expect([address, status, valid(body), valid.errors]).toEqual([address, 200, true, null]);
    }
  });

  it('fails as documented', async () => {
    const [address, status] = parameter
      ? [path.replace(`{${parameter}}`, 'nothing_00000000'), 404]
      : [`${path}?limit=0`, 400];
    const reply = await service.request(address);
    const valid = validator(path, status);
    expect([reply.status, valid(reply.body), valid.errors]).toEqual([status, true, null]);
  });

  it('refuses a query parameter that it does not know', async () => {
    expect((await service.request(`${path.replace(/\{\w+\}/, 'github')}?nothing=1`)).status).toBe(400);
  });
});
