import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/kernel/project-root.js';
import { aConnector, aGrouping, aTap, aVendor } from '../support/catalog/definition-builders.js';
import { aCatalogDatabase } from '../support/database/catalog-database.js';

const { catalog, load } = await aCatalogDatabase();

const OFFERS = `select g.grouping_path as path, c.definition_key as key, g.integration_class as class
  from platform_vendor_grouping g join connector c on c.id = g.connector_id order by 1`;

describe('groupings', () => {
  it('have their path, names and position, and inherit from their connector', async () => {
    const ingestionConfigSchema = { type: 'object', properties: { site: { type: 'string' } } };
    const leaf = aGrouping({ slug: 'leaf', name: 'Leaf' });
    const own = aGrouping({ slug: 'own', name: 'Own', integrationClass: 'file', protocolType: 'file', sortOrder: 5 });
    const middle = aGrouping({ slug: 'middle', name: 'Middle', groupings: [leaf, own] });
    const later = aGrouping({ slug: 'later', name: 'Later', releaseStage: 'planned', connector: undefined });
    await load(
      aVendor({
        connectors: [aConnector({ ingestionConfigSchema })],
        groupings: [aGrouping({ slug: 'top', name: 'Top', groupings: [middle] }), later],
      }),
    );
    const derived = await catalog.sql(
      `select g.grouping_path as path, g.breadcrumbs, g.is_leaf as leaf, g.sort_order as place, p.grouping_path as parent,
        g.integration_class as class, g.protocol_type as protocol, g.ingestion_config_schema as config, c.definition_key as connector
        from platform_vendor_grouping g left join platform_vendor_grouping p on p.id = g.parent_id
        left join connector c on c.id = g.connector_id order by 1`,
    );
    const none = { class: null, protocol: null, config: null, connector: null };
    const main = { leaf: true, config: ingestionConfigSchema, connector: 'main' };
    expect(derived).toEqual([
      { path: 'later', breadcrumbs: ['Acme', 'Later'], leaf: true, place: 20, parent: null, ...none },
      { path: 'top', breadcrumbs: ['Acme', 'Top'], leaf: false, place: 10, parent: null, ...none },
      { path: 'top/middle', breadcrumbs: ['Acme', 'Top', 'Middle'], leaf: false, place: 10, parent: 'top', ...none },
      {
        ...{ path: 'top/middle/leaf', breadcrumbs: ['Acme', 'Top', 'Middle', 'Leaf'], place: 10, parent: 'top/middle' },
        ...{ class: 'api', protocol: 'rest', ...main },
      },
      {
        ...{ path: 'top/middle/own', breadcrumbs: ['Acme', 'Top', 'Middle', 'Own'], place: 5, parent: 'top/middle' },
        ...{ class: 'file', protocol: 'file', ...main },
      },
    ]);
  });

  it('pass a new name of the vendor or a grouping down to all levels', async () => {
    const tree = (name: string) => [aGrouping({ slug: 'top', name, groupings: [aGrouping({ name: 'Leaf' })] })];
    await load(aVendor({ groupings: tree('Top') }));
    await load(aVendor({ name: 'New', groupings: tree('Roof') }));
    expect(await catalog.column('platform_vendor_grouping', 'breadcrumbs', 'grouping_path')).toEqual([
      ['New', 'Roof'],
      ['New', 'Roof', 'Leaf'],
    ]);
  });

  it('can exchange a connector, which keeps its id', async () => {
    const other = aConnector({ key: 'other', integrationClass: 'file' });
    const groupings = (first: string, second: string) => [
      aGrouping({ slug: 'a', connector: first }),
      aGrouping({ slug: 'b', connector: second }),
    ];
    await load(aVendor({ connectors: [aConnector(), other], groupings: groupings('main', 'other') }));
    const before = await catalog.identities();
    const { added, removed } = await load(
      aVendor({ connectors: [aConnector(), other], groupings: groupings('other', 'main') }),
    );
    expect([added, removed, await catalog.identities()]).toEqual([[], [], before]);
    expect(await catalog.sql(OFFERS)).toEqual([
      { path: 'a', key: 'other', class: 'file' },
      { path: 'b', key: 'main', class: 'api' },
    ]);
  });

  it('can pass a connector to a new grouping while the old one is deleted', async () => {
    await load(aVendor());
    const before = await catalog.column('connector', 'id');
    const moved = aGrouping({ slug: 'top', groupings: [aGrouping({ slug: 'deep' })] });
    await load(aVendor({ groupings: [moved] }));
    expect(await catalog.column('connector', 'id')).toEqual(before);
    expect(await catalog.sql(OFFERS)).toEqual([{ path: 'top/deep', key: 'main', class: 'api' }]);
  });

  it('have the logo of the vendor, and the guide and versions of the connector', async () => {
    const logo = { url: '/logos/acme.svg', alt: 'Acme' };
    const connector = aConnector({ apiVersion: 'v3', setupDocumentation: '1. Create a key.\n2. Enter it.' });
    const read = () =>
      catalog.sql('select logo, docs, external_version, platform_version from platform_vendor_grouping');
    await load(aVendor({ logo, connectors: [connector] }));
    const docs = connector.setupDocumentation;
    expect(await read()).toEqual([
      {
        logo,
        docs,
        external_version: 'v3',
        platform_version: VERSION,
      },
    ]);
    const own = { logo: { url: 'https://acme.test/a.svg' }, docs: '# Own', externalVersion: '1', platformVersion: '2' };
    await load(aVendor({ logo, connectors: [connector], groupings: [aGrouping(own)] }));
    expect(await read()).toEqual([{ logo: own.logo, docs: '# Own', external_version: '1', platform_version: '2' }]);
  });

  it('show the effort of their connector, which the definition can set', async () => {
    const taps = [
      aTap({ sync: { mode: 'incremental' } }),
      aTap({ name: 'comments' }),
      aTap({ name: 'events', sync: { mode: 'push' }, transportOptions: [] }),
    ];
    const edges = [{ from: 'issues', to: 'comments', parentKeyField: 'id', templateVariable: 'id' }];
    const setupDocumentation = '1. Create a key.\n2. Enter it.';
    await load(
      aVendor({ connectors: [aConnector({ taps, setupDocumentation, traversal: { rootTaps: ['issues'], edges } })] }),
    );
    expect(await catalog.column('connector', 'effort_metadata')).toEqual([
      { setupSteps: 2, requiresSignIn: false, pushedTaps: 1, incrementalTaps: 1, fullReadTaps: 1, childTaps: 1 },
    ]);
    await load(aVendor({ connectors: [aConnector({ effortMetadata: { hours: 3 } })] }));
    expect(await catalog.column('connector', 'effort_metadata')).toEqual([{ hours: 3 }]);
  });

  it('stay if their connector is deleted', async () => {
    await load(aVendor());
    const before = await catalog.column('platform_vendor_grouping', 'id');
    const planned = aGrouping({ connector: undefined, releaseStage: 'planned' });
    await load(aVendor({ connectors: [], groupings: [planned] }));
    expect(await catalog.column('platform_vendor_grouping', 'id')).toEqual(before);
    expect(await catalog.column('platform_vendor_grouping', 'connector_id')).toEqual([null]);
    expect(await catalog.column('platform_vendor_grouping', 'integration_class')).toEqual([null]);
    expect(await catalog.rows('connector')).toEqual([]);
  });
});
