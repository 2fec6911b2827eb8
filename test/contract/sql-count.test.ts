import { beforeAll, describe, expect, it } from 'vitest';
import type { GroupingDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { readShippedDefinitions } from '../../src/catalog/definitions/shipped-definitions.js';
import { loadDefinitions } from '../../src/catalog/loading/load-definitions.js';
import { createOrm } from '../../src/database/orm.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { aService } from '../support/service/service.js';

const service = aService({});
const viewer = service.as('viewer');

const NESTED = `query ($limit: Int!) {
  platformVendors(limit: $limit) {
    total
    items { name groupings { ...Node groupings { ...Node groupings { ...Node } } } }
  }
}
fragment Node on PlatformVendorGrouping {
  name
  parent { name }
  vendor { name groupings { slug } }
  supportedAuthStrategies { type }
  supportedInboundAuthStrategies { label }
  connector {
    name
    traversal { rootTaps }
    taps { name sync { mode } }
    supportedAuthStrategies { type }
    inboundAuthStrategies { label }
  }
}`;

beforeAll(async () => {
  const shipped = await readShippedDefinitions();
  // The first vendor must have data for all parts of the query.
  shipped.sort((a, b) => variety(b) - variety(a));
  const orm = createOrm(service.databaseUrl);
  await loadDefinitions(orm.em, copies(shipped, 250));
  await orm.close();
});

function variety({ connectors, groupings }: VendorDefinition): number {
  const isPushed = connectors?.some(({ inboundAuthStrategies }) => inboundAuthStrategies) ? 1 : 0;
  return depthOf(groupings) + isPushed;
}

function depthOf(groupings: readonly GroupingDefinition[] = []): number {
  return Math.max(0, ...groupings.map((grouping) => 1 + depthOf(grouping.groupings)));
}

function copies(definitions: readonly VendorDefinition[], count: number): VendorDefinition[] {
  return Array.from({ length: count }, (_, index) => {
    const original = definitions[index % definitions.length] as VendorDefinition;
    return { ...structuredClone(original), slug: `copy-${index}`, sortOrder: index };
  });
}

describe('statements per request', () => {
  it.each(['platform-vendors', 'connectors'])('REST %s: the same number for 250 as for 1', async (list) => {
    const path = list === 'connectors' ? '/api/connectors' : '/api/vendors/platform-vendors';
    const one = await captureStatements(() => viewer.request(`${path}?limit=1`));
    const many = await captureStatements(() => viewer.request(`${path}?limit=250`));
    const reads = (statements: string[]) => {
      return statements
        .filter((text) => isUncached(text) && !text.includes('with recursive found'))
        .map(tableOf)
        .sort();
    };
    expect(reads(many)).toEqual(reads(one));
    expect(reads(many).length).toBeGreaterThan(3);
    expect(many.filter(isUncached).length).toBeLessThanOrEqual(7);
  });

  it('GraphQL: the same number for 250 deeply nested vendors as for 1', async () => {
    // The second request compiles the query.
    for (let request = 0; request < 2; request++) await viewer.graphql(NESTED, { limit: 3 });
    const one = await captureStatements(() => viewer.graphql(NESTED, { limit: 1 }));
    const many = await captureStatements(() => viewer.graphql(NESTED, { limit: 250 }));
    const reads = (statements: string[]) => statements.filter(isUncached).map(tableOf).sort();
    expect(reads(many)).toEqual(reads(one));
    expect(many.length).toBeLessThanOrEqual(8);
  });

  it('GraphQL: one statement for vendors, groupings, methods, connectors and taps, if no JSON column is selected', async () => {
    const fields = 'supportedAuthStrategies { type label } connector { name taps { name } }';
    const query = `query ($limit: Int!) { platformVendors(limit: $limit) { items {
      name groupings { name ${fields} groupings { name ${fields} } }
    } } }`;
    // The second request compiles the query.
    for (let request = 0; request < 2; request++) await viewer.graphql(query, { limit: 3 });
    const statements = await captureStatements(() => viewer.graphql(query, { limit: 250 }));
    expect(statements.filter(isUncached).map(tableOf).sort()).toEqual(['platform_vendor', 'user']);
    const { body } = await viewer.graphql(query, { limit: 250 });
    expect(JSON.stringify(body)).toContain('"supportedAuthStrategies":[{"type":');
    // The space makes this a new query, which the service has not compiled.
    expect(body).toEqual((await viewer.graphql(`${query} `, { limit: 250 })).body);
  });

  it('GraphQL: no statement on the catalog for a cached response', async () => {
    const ask = () => captureStatements(() => viewer.graphql(NESTED, { limit: 2 }));
    for (let request = 0; request < 3; request++) await ask();
    const statements = await ask();
    expect(statements.filter((text) => /from "(platform_|connector)/.test(text))).toEqual([]);
  });

  it('runs no statement for a cached response, except one revision check per second', async () => {
    const statementsOf = () => captureStatements(() => service.request('/api/vendors/platform-vendors/github'));
    await statementsOf();
    expect([await statementsOf(), await statementsOf(), await statementsOf()]).toContainEqual([]);
  });
});

/**
 * Excludes reads of the workspace id and of the catalog revision, which the service caches for seconds. Excludes
 * statements that read no table, such as `listen`.
 */
function isUncached(statement: string): boolean {
  return statement.includes('from "') && !/"workspace"|catalog_revision/.test(statement);
}

function tableOf(statement: string): string {
  const counted = statement.startsWith('select count') ? ' count' : '';
  return /from "(\w+)"/.exec(statement)?.[1] + counted;
}
