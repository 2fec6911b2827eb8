import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import { aClient, aService } from '../../support/service/service.js';

const anonymous = aService();
const service = anonymous.as('viewer');

describe('GraphQL catalog', () => {
  it('nests from a vendor to the taps and back', async () => {
    const { body } = await service.graphql(`{
      connectors(search: "github", limit: 1) { items { slug } }
      platformVendor(slug: "github") {
        groupings {
          vendor { slug groupings { slug } }
          groupings {
            parent { groupings { slug } }
            connector {
              traversal { rootTaps edges { from to } }
              taps { name transportOptions { apiType pagination { type } restConfig { endpoint } } }
              supportedAuthStrategies { type verification { url failures { errorCode } } }
            }
          }
        }
      }
    }`);
    expect(body.errors).toBeUndefined();
    const [grouping] = body.data.platformVendor.groupings;
    expect(grouping.vendor.slug).toBe('github');
    const [leaf] = grouping.groupings;
    expect(leaf.parent.groupings.length).toBe(grouping.groupings.length);
    const taps = leaf.connector.taps.map(({ name }: { name: string }) => name);
    expect(
      leaf.connector.traversal.edges.map(({ from, to }: { from: string; to: string }) => `${from} -> ${to}`),
    ).toEqual(expect.arrayContaining(['orgs -> repos', 'repos -> issues', 'repos -> comments']));
    expect(taps).toEqual(expect.arrayContaining(['orgs', 'repos', 'issues', 'comments']));
  });

  it('finds a connector by id and by slug', async () => {
    const { body } = await service.graphql('{ connectors(limit: 1) { items { id slug } } }');
    const [{ id, slug }] = body.data.connectors.items;
    const query = 'query ($id: String!) { connector(id: $id) { id slug } }';
    for (const key of [id, slug]) {
      expect((await service.graphql(query, { id: key })).body.data.connector).toEqual({ id, slug });
    }
  });

  it('returns null for unknown ids and slugs', async () => {
    const { body } = await service.graphql(
      '{ platformVendor(slug: "none") { id } platformVendorGroupings(vendorSlug: "none") { id } connector(id: "none_00000000") { id } }',
    );
    expect(body.data).toEqual({ platformVendor: null, platformVendorGroupings: null, connector: null });
  });

  it('covers every strategy type, paging type, transport and sender verification of the catalog', async () => {
    const { body } = await service.graphql(`{
      connectors(limit: 250) { items {
        supportedAuthStrategies { type verification { url tokenExchangeOnly } }
        inboundAuthStrategies { verificationType }
        taps { transportOptions { apiType pagination { type } } }
      } }
      methods: __type(name: "AuthMethodType") { enumValues { name } }
      paging: __type(name: "PaginationType") { enumValues { name } }
      transports: __type(name: "ApiType") { enumValues { name } }
    }`);
    const { connectors, methods, paging, transports } = body.data;
    const strategies = connectors.items.flatMap(
      (one: { supportedAuthStrategies: object[] }) => one.supportedAuthStrategies,
    );
    const options = connectors.items.flatMap((one: { taps: { transportOptions: object[] }[] }) =>
      one.taps.flatMap((tap) => tap.transportOptions),
    );
    const names = ({ enumValues }: { enumValues: { name: string }[] }) => enumValues.map(({ name }) => name).sort();
    const distinct = (values: string[]) => [...new Set(values)].sort();
    const types = strategies.map(({ type }: { type: string }) => type);
    // Logs often contain URLs, so no included vendor sends an API key in the query of a URL. test/service/methods
    // covers `api_key_query`.
    expect(distinct([...types, 'api_key_query'])).toEqual(names(methods));
    expect(
      distinct(options.flatMap(({ pagination }: { pagination?: { type: string } }) => pagination?.type ?? [])),
    ).toEqual(names(paging));
    expect(distinct(options.map(({ apiType }: { apiType: string }) => apiType))).toEqual(names(transports));
    for (const { verification } of strategies) expect(verification).not.toBeNull();
  });

  it('serves its schema as SDL, in which each scalar names a specification', async () => {
    const { status, headers, text } = await service.request('/graphql/schema.graphql');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toBe(readFileSync(join(PROJECT_ROOT, 'schema/schema.graphql'), 'utf8'));
    const scalars = Object.values(buildSchema(text).getTypeMap()).filter(isScalarType);
    for (const { name, specifiedByURL } of scalars.filter((scalar) => !isSpecifiedScalarType(scalar))) {
      expect([name, specifiedByURL]).toEqual([name, expect.stringMatching(/^(https:\/\/|\/graphql\/scalars\/)/)]);
      if (specifiedByURL?.startsWith('/')) expect((await service.request(specifiedByURL)).text).toContain(name);
    }
  });

  it('serves a schema explorer that loads nothing from other sites', async () => {
    const page = await service.request('/graphql', { headers: { accept: 'text/html' } });
    const urls = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url as string);
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls)
      expect([url, (await service.request(url)).status]).toEqual([expect.stringMatching(/^\/graphql\//), 200]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('serves three examples in the explorer, which succeed, and a template for headers', async () => {
    const { text: script } = await anonymous.request('/graphql/start.js');
    const [, tabs = '', headers = ''] = /^const tabs = (.*);\nconst headers = (.*);\n/.exec(script) ?? [];
    expect(Object.keys(JSON.parse(JSON.parse(headers)))).toEqual(['Authorization', 'X-Tenant']);
    const examples: string[] = JSON.parse(tabs);
    const replies = await Promise.all(examples.map((query) => service.graphql(query)));
    expect(replies.map(({ body }) => [body.errors, Object.keys(body.data)])).toEqual([
      [undefined, ['platformVendors']],
      [undefined, ['tenantConnectorInstances']],
      [undefined, ['catalogTables']],
    ]);
    expect(
      (await aClient(anonymous, async () => JSON.parse(JSON.parse(headers))).graphql(examples[0] as string)).body
        .errors,
    ).toBeUndefined();
  });
});
