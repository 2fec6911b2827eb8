import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GroupingDefinition } from '../../src/catalog/definition.js';
import { GROUPING_DEPTH_MAX } from '../../src/catalog/definition-rules.js';
import { loadDefinitions } from '../../src/catalog/load-definitions.js';
import { createOrm } from '../../src/orm.js';
import { aGrouping, aVendor } from '../support/definitions.js';
import { aService } from '../support/service.js';

const service = aService();

function aChain(levels: number): GroupingDefinition {
  const { connector, ...node } = aGrouping({ slug: `level-${levels}`, name: `Level ${levels}` });
  return levels === 1 ? { ...node, ...(connector && { connector }) } : { ...node, groupings: [aChain(levels - 1)] };
}

beforeAll(async () => {
  const orm = createOrm(service.databaseUrl);
  await loadDefinitions(orm.em, [aVendor({ slug: 'deep', groupings: [aChain(GROUPING_DEPTH_MAX)] })]);
  await orm.close();
});

describe('the deepest tree that a definition may have', () => {
  it('is shown whole by REST', async () => {
    const { body } = await service.request('/api/vendors/platform-vendor-groupings/deep');
    let levels = 0;
    for (let [grouping] = body.data; grouping; [grouping] = grouping.groupings) levels += 1;
    expect(levels).toBe(GROUPING_DEPTH_MAX);
  });
});
