import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatDraft } from '../../../../scripts/catalog-import/format-draft.js';
import { importDescription } from '../../../../scripts/catalog-import/import-description.js';
import { parseDefinition } from '../../../../src/catalog/definitions/read-definitions.js';
import { listOperation, OPENAPI, SWAGGER } from '../../../support/catalog/api-descriptions.js';

const folder = mkdtempSync(join(tmpdir(), 'taproot-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

function imported(description: object | string, name = 'acme.json') {
  const file = join(folder, name);
  writeFileSync(file, typeof description === 'string' ? description : JSON.stringify(description));
  const { vendor, notes } = importDescription(file);
  const [connector] = vendor.connectors ?? [];
  if (!connector) throw new Error('The draft has no connector.');
  return { vendor, connector, notes, text: formatDraft(vendor, name) };
}

const { connector, notes, text } = imported(OPENAPI);
const tapNamed = (name: string) => connector.taps.find((tap) => tap.name === name);
const pagingOf = (name: string) => tapNamed(name)?.transportOptions[0]?.pagination;

describe('an OpenAPI document', () => {
  it('becomes a valid definition', () => {
    expect(parseDefinition(text, 'acme-shop.yaml')).toMatchObject({ slug: 'acme-shop', name: 'Acme Shop' });
  });

  it('gives the base URL, with a field for each variable of the host', () => {
    expect(connector.addressingConfig).toMatchObject({ host: '{shop}.acme.test', basePath: '/v1' });
    expect(connector.ingestionConfigSchema).toMatchObject({ required: ['shop'] });
  });

  it('gives one strategy per supported security scheme and flow', () => {
    expect(connector.supportedAuthStrategies.map(({ key, type }) => [key, type])).toEqual([
      ['token', 'bearer'],
      ['password', 'basic'],
      ['header', 'api_key_header'],
      ['query', 'api_key_query'],
      ['oauth', 'oauth2_auth_code_pkce'],
      ['oauth-2', 'oauth2_client_credentials'],
    ]);
  });

  it('names the request for the account as the credential test, and marks it as a guess', () => {
    expect(connector.supportedAuthStrategies[0]).toMatchObject({
      verification: { url: '/me' },
      sources: [{ document: 'acme.json' }],
      unverified: ['verification'],
    });
  });

  it.each([
    ['orders', { type: 'cursor', cursor: { cursorPath: 'meta.next_cursor', cursorParam: 'cursor' } }],
    ['by_page', { type: 'page_number', pageNumber: { pageParam: 'page', totalPagesPath: 'total_pages' } }],
    ['by_offset', { type: 'offset', offset: { offsetParam: 'offset', limitParam: 'limit' } }],
    ['by_last_record', { type: 'cursor', cursor: { cursorPath: 'data[-1].id', hasMorePath: 'has_more' } }],
    ['by_token', { type: 'cursor', cursor: { cursorPath: 'next_page_token', cursorParam: 'page_token' } }],
    ['by_link', { type: 'link_header' }],
    ['lines', { type: 'none' }],
  ])('gives the paging of %s', (name, paging) => {
    expect(pagingOf(name)).toMatchObject(paging);
  });

  it('gives the record path, the primary key, the types and the maximum page size', () => {
    expect(tapNamed('orders')).toMatchObject({
      responseExtraction: { primaryKey: 'id', responsePath: 'data' },
      schema: {
        properties: {
          id: { type: 'string' },
          total: { type: ['number', 'null'] },
          placed_at: { type: 'string', format: 'date-time' },
          tags: { type: 'array', items: { type: 'string' } },
          parent: { type: 'object' },
        },
      },
      transportOptions: [{ restConfig: { endpoint: '/orders', queryParams: { limit: 50 } } }],
    });
  });

  it('gives child taps for one path variable', () => {
    expect(connector.traversal?.edges).toEqual([
      expect.objectContaining({ from: 'orders', to: 'lines', parentKeyField: 'id', templateVariable: 'orderId' }),
    ]);
  });

  it.each([
    /^to do: acme\.json#\/components\/securitySchemes\/cookie: .* apiKey in cookie is not supported$/,
    /^to do: acme\.json#\/components\/securitySchemes\/oauth\/flows\/implicit: /,
    /^to do: acme\.json#\/paths\/~1shops~1\{a\}~1orders~1\{b\}~1lines\/get: .* 2 path variables$/,
    /^check: acme\.json#\/paths\/~1orders\/get: tap orders: check the cursor paging/,
    /^check: acme\.json#\/components\/securitySchemes\/token: strategy token: /,
  ])('has a note %s', (note) => {
    expect(notes.filter((line) => note.test(line))).toHaveLength(1);
  });
});

describe('a Swagger 2.0 document', () => {
  it('becomes a valid definition', () => {
    const swagger = imported(SWAGGER);
    expect(parseDefinition(swagger.text, 'acme.yaml').connectors?.[0]).toMatchObject({
      defaultBaseUrl: 'https://api.acme.test/v2',
      supportedAuthStrategies: [{ type: 'oauth2_client_credentials' }],
      taps: [
        {
          responseExtraction: { primaryKey: 'id' },
          schema: { properties: { id: { type: 'integer' }, name: {} } },
          transportOptions: [{ restConfig: { queryParams: { page: 0 } } }],
        },
      ],
    });
  });
});

describe('a hostile file', () => {
  it.each([
    ['text', 'not: [closed', /is not valid JSON or YAML/],
    ['a list', '[]', /contains no object/],
    ['another format', '{"a":1}', /is not an OpenAPI 3, Swagger 2.0 or DeclarativeSource file/],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), /contains no object|levels deep/],
    ['deep objects', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, /more than 200 levels deep/],
  ])('with %s gives an error', (_, content, message) => {
    expect(() => imported(content)).toThrow(message);
  });

  it('with cyclic references gives a draft', () => {
    const cycle = { allOf: Array(9).fill({ $ref: '#/components/schemas/Order' }), properties: { id: {} } };
    const self = { $ref: '#/components/schemas/Self' };
    const components = { schemas: { Order: cycle, Self: self } };
    const paths = { '/orders': listOperation(), '/selves': { get: { responses: { 200: self } } } };
    expect(imported({ openapi: '3.1.0', paths, components }).connector.taps).toHaveLength(1);
  });

  it.each(['servers', 'paths', 'components', 'info'])('with a wrong type of %s gives a draft', (member) => {
    for (const value of [null, 1, 'text', [null], { a: null }])
      expect(imported({ ...OPENAPI, [member]: value }).connector.key).toBe('rest-api');
  });

  it('with references to other files gives a note', () => {
    const paths = { '/orders': { $ref: '/etc/passwd' }, '/users': { $ref: 'https://acme.test/users.yaml' } };
    expect(imported({ openapi: '3.1.0', paths }).notes).toContainEqual(expect.stringContaining('2 references'));
  });
});
