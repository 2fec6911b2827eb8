import { describe, expect, it } from 'vitest';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  withConnector,
  withStrategy,
} from '../support/catalog/definition-builders.js';
import { aFullVendor } from '../support/catalog/random-vendors.js';
import { aCatalogDatabase, UNCHANGED } from '../support/database/catalog-database.js';
import { withoutRows } from '../support/database/catalog-snapshot.js';

const { catalog, load } = await aCatalogDatabase();

describe('a load that changes something', () => {
  it('keeps ids and connector slugs when names, order and other fields change', async () => {
    await load(aFullVendor());
    const before = await catalog.identities();
    const { connectors = [], groupings, ...vendor } = aFullVendor();
    const report = await load({
      ...vendor,
      name: 'New',
      sortOrder: 99,
      connectors: connectors
        .map(({ taps, supportedAuthStrategies, ...connector }) => ({
          ...connector,
          name: 'New',
          taps: taps.map((tap) => ({ ...tap, description: 'New' })).reverse(),
          supportedAuthStrategies: supportedAuthStrategies.map((one) => ({ ...one, label: 'New' })).reverse(),
        }))
        .reverse(),
      groupings: groupings.map((grouping) => ({ ...grouping, name: 'New' })).reverse(),
    });
    expect(await catalog.identities()).toEqual(before);
    expect(report).toMatchObject({ added: [], removed: [] });
    expect(report.changed.length).toBeGreaterThan(8);
  });

  it('reports additions, changed fields and removals', async () => {
    await load(
      aVendor({
        connectors: [aConnector({ taps: [aTap(), aTap({ name: 'old' })] }), aConnector({ key: 'old' })],
        groupings: [aGrouping(), aGrouping({ slug: 'old', connector: 'old' })],
      }),
    );
    const report = await load(
      aVendor({
        description: 'Things',
        connectors: [
          aConnector({
            timeoutSeconds: 60,
            supportedAuthStrategies: [aStrategy({ label: 'Key' }), aStrategy({ key: 'new' })],
            inboundAuthStrategies: [anInboundStrategy()],
            taps: [aTap({ description: 'Issues', sync: { mode: 'incremental' } })],
          }),
        ],
        groupings: [aGrouping({ groupings: [aGrouping({ slug: 'new' })] })],
      }),
    );
    expect(report).toEqual({
      added: ['acme/groupings/issues/new', 'acme/main/inbound', 'acme/main/new'],
      changed: [
        expect.stringMatching(/^acme\/groupings\/issues: .*connector.*isLeaf/),
        expect.stringMatching(/^acme\/main\/issues: (description, sync|sync, description)$/),
        'acme/main/token: label',
        expect.stringMatching(/^acme\/main: (timeoutSeconds, effortMetadata|effortMetadata, timeoutSeconds)$/),
        'acme: description',
      ],
      removed: ['acme/groupings/old', 'acme/main/old', 'acme/old'],
      vendorsWithoutDefinition: [],
    });
  });

  it('changes the revision', async () => {
    await load(aVendor());
    const before = await catalog.column('catalog_revision', 'id');
    await load(aVendor({ name: 'New' }));
    const after = await catalog.column('catalog_revision', 'id');
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
  });

  it('sets updatedAt only of changed rows', async () => {
    await load(withConnector({ taps: [aTap(), aTap({ name: 'other' })] }));
    await catalog.sql(`update connector_tap set created_at = '2020-01-01', updated_at = '2020-01-01'`);
    await load(withConnector({ taps: [aTap(), aTap({ name: 'other', description: 'New' })] }));
    const times = await catalog.sql(
      'select created_at, updated_at, created_by = updated_by as same from connector_tap order by name',
    );
    const then = new Date('2020-01-01');
    expect(times).toEqual([
      { created_at: then, updated_at: then, same: true },
      { created_at: then, updated_at: expect.any(Date), same: true },
    ]);
    expect(times[1]?.updated_at).not.toEqual(then);
  });

  it('writes null for properties removed from a definition', async () => {
    await load(aFullVendor());
    const { groupings } = aFullVendor();
    const bare = groupings.map(({ slug, name, releaseStage, connector, groupings }) => {
      return { slug, name, releaseStage, ...(connector && { connector }), ...(groupings && { groupings }) };
    });
    await load(
      aVendor({
        connectors: [
          aConnector({
            integrationClass: undefined,
            protocolType: undefined,
            defaultBaseUrl: undefined,
            supportedAuthStrategies: [{ key: 'token', type: 'custom' }],
            inboundAuthStrategies: [anInboundStrategy()],
          }),
        ],
        groupings: bare,
      }),
    );
    expect(await catalog.filled('platform_vendor', 'slug', 'acme')).toEqual(['id', 'name', 'slug', 'sort_order']);
    expect(await catalog.filled('connector', 'definition_key', 'main')).toEqual([
      ...['created_at', 'created_by', 'definition_key', 'effort_metadata', 'id', 'name', 'release_status', 'slug'],
      ...['updated_at', 'updated_by', 'vendor_id'],
    ]);
    expect(await catalog.filled('connector_auth_strategy', 'definition_key', 'token')).toEqual([
      ...['connector_id', 'created_at', 'created_by', 'definition_key', 'id', 'position', 'type'],
      ...['updated_at', 'updated_by'],
    ]);
    expect(await catalog.filled('inbound_auth_strategy', 'definition_key', 'inbound')).toEqual([
      ...['connector_id', 'created_at', 'created_by', 'definition_key', 'handshake_kind', 'id', 'position'],
      ...['updated_at', 'updated_by', 'verification_type'],
    ]);
    expect(await catalog.filled('connector_tap', 'name', 'issues')).toEqual([
      ...['connector_id', 'created_at', 'created_by', 'enabled_by_default', 'id', 'identity_directory', 'name'],
      ...['position', 'response_extraction', 'schema', 'sync', 'transport_options', 'updated_at', 'updated_by'],
    ]);
    expect(await catalog.filled('platform_vendor_grouping', 'grouping_path', 'issues')).toEqual([
      ...['breadcrumbs', 'connector_id', 'grouping_path', 'id', 'is_leaf', 'name', 'platform_version', 'release_stage'],
      ...['slug', 'sort_order', 'vendor_id'],
    ]);
  });

  it('writes a changed order of parts', async () => {
    const parts = (names: string[]) => ({
      taps: names.map((name) => aTap({ name })),
      supportedAuthStrategies: names.map((key) => aStrategy({ key })),
      inboundAuthStrategies: names.map((key) => anInboundStrategy({ key })),
    });
    await load(withConnector(parts(['a', 'b', 'c'])));
    await load(withConnector(parts(['c', 'new', 'a', 'b'])));
    expect(await catalog.column('connector_tap', 'name', 'position')).toEqual(['c', 'new', 'a', 'b']);
    expect(await catalog.column('connector_auth_strategy', 'definition_key', 'position')).toEqual([
      'c',
      'new',
      'a',
      'b',
    ]);
    expect(await catalog.column('inbound_auth_strategy', 'definition_key', 'position')).toEqual(['c', 'new', 'a', 'b']);
  });

  it('writes a changed order of keys inside JSON', async () => {
    await load(withStrategy({ configSchema: aConfigSchema({ a: {}, b: {} }) }));
    const { changed } = await load(withStrategy({ configSchema: aConfigSchema({ b: {}, a: {} }) }));
    expect(changed).toEqual(['acme/main/token: configSchema']);
    const [schema] = (await catalog.column('connector_auth_strategy', 'config_schema')) as [{ properties: object }];
    expect(Object.keys(schema.properties)).toEqual(['b', 'a']);
  });
});

describe('a part removed from a definition', () => {
  it.each([
    ['tap', 'connector_tap', 'name', { taps: [aTap(), aTap({ name: 'gone' })] }],
    [
      'strategy',
      'connector_auth_strategy',
      'definition_key',
      { supportedAuthStrategies: [aStrategy(), aStrategy({ key: 'gone' })] },
    ],
    [
      'inbound strategy',
      'inbound_auth_strategy',
      'definition_key',
      { inboundAuthStrategies: [anInboundStrategy(), anInboundStrategy({ key: 'gone' })] },
    ],
  ])('is deleted, and the rest stays unchanged: %s', async (_, table, name, parts) => {
    // Both definitions set `effortMetadata`, because its default depends on the number of taps.
    const rest = { inboundAuthStrategies: [anInboundStrategy()], effortMetadata: {} };
    await load(withConnector({ ...rest, ...parts }));
    const before = await catalog.contents();
    const { removed } = await load(withConnector(rest));
    expect(removed).toEqual(['acme/main/gone']);
    expect(withoutRows(await catalog.contents())).toEqual(withoutRows(before, table, (row) => row[name] === 'gone'));
  });

  it('is deleted, and the rest stays unchanged: grouping, with all below it', async () => {
    const node = aGrouping({ slug: 'node', groupings: [aGrouping({ slug: 'leaf' })] });
    await load(aVendor({ groupings: [aGrouping(), node] }));
    const before = await catalog.contents();
    const { removed } = await load(aVendor({ groupings: [aGrouping()] }));
    expect(removed).toEqual(['acme/groupings/node', 'acme/groupings/node/leaf']);
    expect(withoutRows(await catalog.contents())).toEqual(
      withoutRows(before, 'platform_vendor_grouping', ({ grouping_path }) => String(grouping_path).startsWith('node')),
    );
  });

  it('is deleted with all its parts: connector', async () => {
    const second = aConnector({ key: 'second', inboundAuthStrategies: [anInboundStrategy()] });
    const groupings = [aGrouping(), aGrouping({ slug: 'second', connector: 'second' })];
    await load(aVendor());
    const before = await catalog.contents();
    await load(aVendor({ connectors: [aConnector(), second], groupings }));
    const { removed } = await load(aVendor());
    expect(removed).toEqual(['acme/groupings/second', 'acme/second']);
    expect(withoutRows(await catalog.contents())).toEqual(withoutRows(before));
  });

  it('gets a new id if it is added again', async () => {
    const wide = withConnector({ taps: [aTap(), aTap({ name: 'again' })] });
    await load(wide);
    const before = await catalog.column('connector_tap', 'id', 'position');
    await load(aVendor());
    await load(wide);
    const after = await catalog.column('connector_tap', 'id', 'position');
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('is kept and reported if it is a whole vendor', async () => {
    await load(aVendor(), aVendor({ slug: 'zebra', sortOrder: 1 }), aVendor({ slug: 'beta', sortOrder: 2 }));
    const before = await catalog.contents();
    expect(await load(aVendor())).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: ['beta', 'zebra'] });
    expect(await catalog.contents()).toEqual(before);
  });
});
