import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../../src/kernel/project-root.js';
import { aService } from '../../../support/service/service.js';

const service = aService();

type Row = Record<string, unknown>;

/** Fields that no included definition needs. */
const UNUSED: Readonly<Record<string, string[]>> = {
  // Each strategy uses the base URL of its connector.
  ConnectorAuthStrategy: ['defaultBaseUrl'],
  // Hooks refer to code of other services. All taps have existed since the first version. No tap needs its own rate
  // limit.
  ConnectorTap: ['enabledSince', 'extractionHook', 'rateLimitOverride', 'requestHook'],
};

const { components } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'schema/openapi.json'), 'utf8'));

it('every field of the catalog has a value in an included definition', async () => {
  const vendors: Row[] = (await service.request('/api/vendors/platform-vendors?limit=250')).body.data.items;
  const connectors: Row[] = (await service.as('viewer').request('/api/connectors?limit=250')).body.data.items;
  const groupings = vendors.flatMap((vendor) => treeOf(vendor.groupings as Row[]));
  const rows: Record<string, Row[]> = {
    PlatformVendor: vendors,
    PlatformVendorGrouping: groupings,
    Connector: connectors,
    ConnectorAuthStrategy: connectors.flatMap(({ supportedAuthStrategies }) => supportedAuthStrategies as Row[]),
    InboundAuthStrategy: connectors.flatMap(({ inboundAuthStrategies }) => (inboundAuthStrategies ?? []) as Row[]),
    ConnectorTap: connectors.flatMap(({ taps }) => taps as Row[]),
  };
  for (const [type, list] of Object.entries(rows)) {
    const fields = Object.keys(components.schemas[type].properties);
    const empty = fields.filter((field) => !list.some((row) => row[field] !== undefined));
    expect([type, empty]).toEqual([type, expect.arrayContaining(UNUSED[type] ?? [])]);
    expect([type, empty.length]).toEqual([type, (UNUSED[type] ?? []).length]);
  }
});

function treeOf(groupings: readonly Row[]): Row[] {
  return groupings.flatMap((grouping) => [grouping, ...treeOf((grouping.groupings ?? []) as Row[])]);
}
