import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { compareCatalog } from '../../scripts/catalog-compare/compare-catalog.js';
import { DescriptionError } from '../../scripts/catalog-compare/descriptions.js';
import type { ConnectorDefinition, TapDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { aConnector, aTap, withConnector, yamlOf } from '../support/catalog/definition-builders.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const issue = {
  allOf: [
    { $ref: '#/components/schemas/Base' },
    {
      type: 'object',
      properties: {
        title: { type: 'string' },
        labels: { type: 'array', items: { $ref: '#/components/schemas/Base' } },
      },
    },
  ],
};

const OPENAPI = {
  openapi: '3.0.3',
  servers: [{ url: 'https://api.acme.test/v1' }],
  paths: {
    '/me': { get: { responses: { 200: {} } } },
    '/projects/{project_id}/issues': {
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
      get: {
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'created', in: 'query', style: 'deepObject', schema: { type: 'object' } },
        ],
        responses: { 200: { $ref: '#/components/responses/issues' } },
      },
    },
    '/search': {
      post: {
        requestBody: { content: { 'application/json': { schema: { properties: { filter: {}, cursor: {} } } } } },
        responses: { 200: { $ref: '#/components/responses/issues' } },
      },
    },
  },
  components: {
    parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } } },
    responses: { issues: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Issues' } } } } },
    schemas: {
      Issues: { type: 'object', properties: { data: { type: 'array', items: issue } } },
      Base: { type: 'object', properties: { id: { type: 'string' }, parent: { $ref: '#/components/schemas/Base' } } },
    },
  },
};

const properties = (more: object = {}) => ({
  ...{ id: { type: 'string' }, title: { type: ['string', 'null'] }, project_id: { type: 'string' } },
  ...more,
});

function issues({
  rest = {},
  fields = {},
  ...more
}: { rest?: object; fields?: object } & Partial<TapDefinition> = {}): TapDefinition {
  return aTap({
    responseExtraction: { primaryKey: 'id', responsePath: 'data' },
    schema: { type: 'object', properties: properties(fields) },
    transportOptions: [
      {
        apiType: 'rest',
        restConfig: {
          endpoint: '/projects/{projectId}/issues',
          queryParams: { limit: 100, 'created[gte]': '{since}' },
          ...rest,
        },
        pagination: { type: 'page_number', pageNumber: { pageParam: 'page' } },
      },
    ],
    ...more,
  });
}

function acme(tap: TapDefinition, more: Partial<ConnectorDefinition> = {}): VendorDefinition {
  const edge = { from: 'projects', to: 'issues', parentKeyField: 'id' };
  const parentContextFields = [{ sourceField: 'id', targetField: 'project_id' }];
  return withConnector({
    defaultBaseUrl: 'https://api.acme.test/v1',
    taps: [tap],
    traversal: { rootTaps: [], edges: [{ ...edge, parentContextFields }] },
    ...more,
  });
}

function aFolder(files: Record<string, string>, mapping: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'taproot-descriptions-'));
  folders.push(folder);
  const names = Object.keys(files).map((file) => ({ file }));
  const all = { 'descriptions.yaml': stringify({ 'acme/main': { files: names, ...mapping } }), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

const folder = aFolder({ 'acme.yaml': stringify(OPENAPI, { aliasDuplicateObjects: false }) });
const differences = (vendor: VendorDefinition, where = folder) =>
  compareCatalog(where, [vendor]).lines.filter((line) => line.startsWith('acme/main '));

const searched = (requestBody: object, cursorBodyPath = 'cursor') =>
  issues({
    transportOptions: [
      {
        apiType: 'rest',
        restConfig: { endpoint: '/search', method: 'POST', requestBody: requestBody as Record<string, unknown> },
        pagination: { type: 'cursor', cursor: { cursorBodyPath } },
      },
    ],
  });

describe('a definition', () => {
  it.each([
    ['as described', issues()],
    ['that searches as described', searched({ filter: {} })],
    [
      'with nested fields as described',
      issues({ fields: { labels: { type: 'array', items: { properties: { id: {} } } } } }),
    ],
  ])('%s has no differences', (_, tap) => {
    const { lines, differenceCount } = compareCatalog(folder, [acme(tap)]);
    expect([lines, differenceCount]).toEqual([
      ['acme/main: compared 1 of 1 taps, and the records of 1; 0 open differences, 0 accepted', '0 open differences'],
      0,
    ]);
  });

  it.each([
    [
      'path: /projects/{projectId}/isues is not described',
      issues({ rest: { endpoint: '/projects/{projectId}/isues' } }),
    ],
    ['method: /projects/{projectId}/issues accepts GET, not POST', issues({ rest: { method: 'POST' } })],
    [
      'parameter: updated is not a query parameter of GET /projects/{projectId}/issues',
      issues({ rest: { queryParams: { updated: 1 } } }),
    ],
    [
      'parameter: limit of GET /projects/{projectId}/issues is 101; the maximum is 100',
      issues({ rest: { queryParams: { limit: 101 } } }),
    ],
    ['parameter: query is not a body parameter of POST /search', searched({ filter: {}, query: {} })],
    ['parameter: after is not a body parameter of POST /search', searched({ filter: {} }, 'after')],
    ['field: status is not in the response', issues({ fields: { status: {} } })],
    [
      'field: labels[].name is not in the response',
      issues({ fields: { labels: { type: 'array', items: { properties: { name: {} } } } } }),
    ],
    ['field: responsePath: the response has no items', issues({ responseExtraction: { responsePath: 'items' } })],
    [
      'type: id is number in the definition and string in the response',
      issues({ fields: { id: { type: 'integer' } } }),
    ],
  ])('lists %s', (difference, tap) => {
    expect(differences(acme(tap))).toEqual([`acme/main issues: ${difference}`]);
  });

  it('includes the verification call of its credentials', () => {
    const [strategy] = aConnector().supportedAuthStrategies;
    const vendor = acme(issues(), {
      supportedAuthStrategies: [{ ...(strategy as NonNullable<typeof strategy>), verification: { url: '/whoami' } }],
    });
    expect(differences(vendor)).toEqual(['acme/main verification: path: /whoami is not described']);
  });

  it('may have accepted differences, which are listed if they no longer occur', () => {
    const accepted = {
      'issues: field: status is not in the response': 'the guide has it',
      'issues: gone': 'it was there',
    };
    const where = aFolder({ 'acme.yaml': stringify(OPENAPI, { aliasDuplicateObjects: false }) }, { accepted });
    const { lines, differenceCount } = compareCatalog(where, [acme(issues({ fields: { status: {} } }))]);
    expect([lines, differenceCount]).toEqual([
      [
        'acme/main: the accepted difference does not occur: issues: gone',
        'acme/main: compared 1 of 1 taps, and the records of 1; 0 open differences, 1 accepted',
        '0 open differences',
      ],
      0,
    ]);
  });

  it('is reported if the folder has no description of it', () => {
    expect(compareCatalog(aFolder({}), [acme(issues())]).lines).toEqual([
      'acme/main: no description',
      '0 open differences',
    ]);
  });
});

describe('a description', () => {
  it('may be an OpenAPI 2 document', () => {
    const parameters = ['limit', 'page', 'created'].map((name) => ({ name, in: 'query', type: 'string' }));
    const schema = { properties: { data: { items: { $ref: '#/definitions/Issue' } } } };
    const swagger = {
      swagger: '2.0',
      basePath: '/v1',
      paths: { '/me': { get: {} }, '/projects/{id}/issues': { get: { parameters, responses: { 200: { schema } } } } },
      definitions: { Issue: { properties: { id: { type: 'integer' } } } },
    };
    expect(differences(acme(issues()), aFolder({ 'acme.json': JSON.stringify(swagger) }))).toEqual([
      'acme/main issues: type: id is string in the definition and number in the response',
      'acme/main issues: field: title is not in the response',
    ]);
  });

  it('may be a Google discovery document, which also lists the scopes', () => {
    const list = {
      ...{
        httpMethod: 'GET',
        path: 'projects/{+projectId}/issues',
        scopes: ['issues.full'],
        response: { $ref: 'Issues' },
      },
      parameters: { limit: { location: 'query' }, page: { location: 'query' }, projectId: { location: 'path' } },
    };
    const me = { httpMethod: 'GET', path: 'me' };
    const document = {
      ...{ discoveryVersion: 'v1', servicePath: 'v1/', parameters: { created: { location: 'query' } } },
      resources: { projects: { resources: { issues: { methods: { list } } }, methods: { me } } },
      schemas: {
        Issues: { properties: { data: { items: { $ref: 'Issue' } } } },
        Issue: { properties: { id: { type: 'string' } } },
      },
    };
    const tap = issues({ sync: { mode: 'full', scopes: ['issues.metadata'] } });
    expect(differences(acme(tap), aFolder({ 'acme.json': JSON.stringify(document) }))).toEqual([
      'acme/main issues: scope: the description requires a scope other than issues.metadata',
      'acme/main issues: field: title is not in the response',
    ]);
  });

  it('may be a GraphQL schema, against which queries are validated', () => {
    const query = 'query ($after: String) { issues(after: $after) { id status } }';
    const tap = aTap({ transportOptions: [{ apiType: 'graphql', graphqlConfig: { endpoint: '/graphql', query } }] });
    const schema = 'type Query { issues(after: String): [Issue] } type Issue { id: ID }';
    expect(differences(acme(tap), aFolder({ 'acme.graphql': schema }))).toEqual([
      'acme/main issues: query: Cannot query field "status" on type "Issue".',
    ]);
  });

  it.each([
    ['acme.json', '{"info": {}}'],
    ['acme.yaml', 'a: ['],
    ['acme.graphql', 'type Query {'],
    ['descriptions.yaml', 'a: ['],
  ])('is reported if it cannot be read: %s', (name, text) => {
    const where = aFolder({ [name]: text });
    expect(() => compareCatalog(where, [acme(issues())])).toThrow(DescriptionError);
    expect(() => compareCatalog(where, [acme(issues())])).toThrow(join(where, name));
  });

  it('requires a mapping with only known fields', () => {
    const where = aFolder({}, { file: 'acme.json' });
    expect(() => compareCatalog(where, [])).toThrow('must NOT have additional properties');
  });
});

it('the command exits with 0, with 1 for differences, and with 2 for an unreadable folder', async () => {
  const definitionsOf = (tap: TapDefinition) => {
    const where = mkdtempSync(join(tmpdir(), 'taproot-definitions-'));
    folders.push(where);
    const vendor = acme(tap, { traversal: undefined, ingestionConfigSchema: PROJECT });
    writeFileSync(join(where, 'acme.yaml'), yamlOf(vendor));
    return where;
  };
  const rest = { queryParams: { limit: 100 } };
  const fields = { project_id: undefined };
  const runs = [
    [folder, definitionsOf(issues({ rest, fields }))],
    [folder, definitionsOf(issues({ rest, fields: { ...fields, status: {} } }))],
    [join(folder, 'none')],
  ];
  expect(await Promise.all(runs.map(run))).toEqual([0, 1, 2]);
});

const PROJECT = { type: 'object', properties: { projectId: { type: 'string' } } };

function run(parameters: string[]): Promise<unknown> {
  const script = join(PROJECT_ROOT, 'dist', 'scripts', 'compare-catalog.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], (error) => resolve(error?.code ?? 0));
  });
}
