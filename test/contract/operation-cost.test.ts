import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readOperations } from '../../rest-facade/operations.js';
import { createOrm } from '../../src/database/orm.js';
import { createSchema } from '../../src/graphql-schema.js';
import { createCostCheck } from '../../src/http/graphql/operation-cost.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { MAX_PAGE_SIZE } from '../../src/kernel/reading/paging.js';

const schema = await createSchema(createOrm('postgresql://nowhere/taproot').getMetadata());

function check(document: DocumentNode, variables = {}): void {
  for (const node of document.definitions)
    if (node.kind === Kind.OPERATION_DEFINITION) createCostCheck(schema, document, node)(variables);
}

const GUIDE = readFileSync(join(PROJECT_ROOT, 'docs/graphql.md'), 'utf8');
const DOCUMENTED = [...GUIDE.matchAll(/^```graphql\n(.*?)^```|graphql\(`(.*?)`\)/gms)].map(
  ([, block, call]) => (block ?? call) as string,
);
const EXAMPLES = join(PROJECT_ROOT, 'src/http/explorer-examples');

const TREE = `{ name connector { name taps { name } } instances(limit: 100) { name taps { name } }`;
const PAGES: Readonly<Record<string, string>> = {
  'a vendor with its whole tree and 100 connections each': `{
    platformVendor(slug: "github") { ${`groupings ${TREE} `.repeat(8)} ${'}'.repeat(8)} }
  }`,
  '100 connections to a vendor': `{
    platformVendor(slug: "github") {
      allGroupings {
        connector { name taps { name } }
        instances(limit: 100) {
          name
          credentials { status validations(limit: 1) { status } }
          taps { name table { contracts { latestQualityResult { capturedAt } latestSpcResult { overallStatus } } } }
          syncJobs(limit: 10) { status }
        }
      }
    }
  }`,
  'a check of column types with all examples': `{
    checkArtifactColumns(artifactId: "3fK8mQ2xWFrVLcR2Ir74QG") {
      columns { column { name type } failed examples { line value reason } }
    }
  }`,
  'two nested pages of the largest size': `{
    tenantConnectorInstances(limit: 250) { items { syncJobs(limit: 250) { status } } }
  }`,
};

describe('the cost limit accepts', () => {
  it('the queries of the documentation', () => {
    expect(DOCUMENTED.length).toBeGreaterThan(5);
    for (const text of DOCUMENTED) check(parse(text));
  });

  it.each(readdirSync(EXAMPLES))('the explorer example %s', (name) => {
    check(parse(readFileSync(join(EXAMPLES, name), 'utf8')));
  });

  it.each([...readOperations(schema).keys()])('the largest page of the REST operation %s', (name) => {
    const { document } = readOperations(schema).get(name) as { document: DocumentNode };
    check(document, { limit: MAX_PAGE_SIZE });
  });

  it.each(Object.entries(PAGES))('%s', (_, text) => check(parse(text)));
});

describe('the cost limit rejects', () => {
  it.each([
    [
      'three nested pages',
      'platformVendors(limit: 250) { items { instances(limit: 250) { syncJobs(limit: 10) { status } } } }',
    ],
    [
      'histories of their default size',
      'catalogTables(limit: 250) { items { contracts(limit: 50) { qualityResults { capturedAt } } } }',
    ],
    [
      'a cycle without page sizes',
      `platformVendor(slug: "github") { ${'groupings { vendor { '.repeat(8)} name ${'} }'.repeat(8)} }`,
    ],
  ])('%s', (_, selection) => {
    expect(() => check(parse(`{ ${selection} }`))).toThrow('the maximum is 500,000');
  });
});
