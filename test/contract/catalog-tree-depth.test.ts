import { beforeAll, describe, expect, it } from 'vitest';
import type { GroupingDefinition } from '../../src/catalog/definitions/definition.js';
import { MAX_GROUPING_DEPTH } from '../../src/catalog/definitions/definition-rules.js';
import { loadDefinitions } from '../../src/catalog/loading/load-definitions.js';
import { createOrm } from '../../src/database/orm.js';
import { aGrouping, aVendor } from '../support/catalog/definition-builders.js';
import { aService } from '../support/service/service.js';

const service = aService({});

function aChain(levels: number): GroupingDefinition {
  const { connector, ...node } = aGrouping({ slug: `level-${levels}`, name: `Level ${levels}` });
  return levels === 1 ? { ...node, ...(connector && { connector }) } : { ...node, groupings: [aChain(levels - 1)] };
}

beforeAll(async () => {
  const orm = createOrm(service.databaseUrl);
  await loadDefinitions(orm.em, [aVendor({ slug: 'deep', groupings: [aChain(MAX_GROUPING_DEPTH)] })]);
  await orm.close();
});

describe('the deepest grouping tree that a definition may have', () => {
  it('is returned completely by REST', async () => {
    const { body } = await service.request('/api/vendors/platform-vendor-groupings/deep');
    let levels = 0;
    for (let [grouping] = body.data; grouping; [grouping] = grouping.groupings) levels += 1;
    expect(levels).toBe(MAX_GROUPING_DEPTH);
  });
});
