import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { readDefinitions } from '../../src/catalog/definitions/read-definitions.js';
import { type LoadReport, loadDefinitions } from '../../src/catalog/loading/load-definitions.js';
import { migrate } from '../../src/database/migrate.js';
import { createOrm } from '../../src/database/orm.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
  randomOf,
  seed,
} from '../support/catalog/definition-builders.js';
import { aFullVendor, aRandomVendor } from '../support/catalog/random-vendors.js';
import { CatalogSnapshot, catalogTables, type SnapshotRow, withoutRows } from '../support/database/catalog-snapshot.js';
import { aDatabase, type TestDatabase } from '../support/database/database.js';
import { atScale } from '../support/soak.js';

const STEPS = atScale(6, 30);
const UNCHANGED = { added: [], changed: [], removed: [] };

let database: TestDatabase;
let orm: MikroORM;
let twin: MikroORM;
let client: pg.Client;
let tables: string[];
let catalog: CatalogSnapshot;

beforeAll(async () => {
  database = await aDatabase({ empty: true });
  orm = createOrm(database.url);
  twin = createOrm(database.url);
  await migrate(orm, database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  tables = await catalogTables(client);
  catalog = new CatalogSnapshot(client, tables);
});

afterAll(async () => {
  await client.end();
  await Promise.all([orm.close(), twin.close()]);
  await database.drop();
});

beforeEach(() => catalog.sql(`truncate ${tables.join(', ')} cascade`));

describe('a first load', () => {
  it('adds and reports everything', async () => {
    expect(await load(aVendor())).toEqual({
      added: ['acme', 'acme/groupings/issues', 'acme/main', 'acme/main/issues', 'acme/main/token'],
      changed: [],
      removed: [],
      vendorsWithoutDefinition: [],
    });
    expect(await catalog.rows('connector_tap')).toHaveLength(1);
  });

  it('without definitions writes nothing', async () => {
    expect(await load()).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: [] });
    expect(await catalog.contents()).toEqual(tables.map((table) => ({ table, rows: [] })));
  });

  it('keeps the order of parts, regardless of their names', async () => {
    const taps = ['c', 'a', 'b'].map((name) => aTap({ name }));
    const supportedAuthStrategies = ['z', 'y'].map((key) => aStrategy({ key }));
    await load(aVendor({ connectors: [aConnector({ taps, supportedAuthStrategies })] }));
    expect(await catalog.column('connector_tap', 'name', 'position')).toEqual(['c', 'a', 'b']);
    expect(await catalog.column('connector_auth_strategy', 'definition_key', 'position')).toEqual(['z', 'y']);
  });

  it('keeps the order of keys inside JSON', async () => {
    const properties = { zone: { type: 'string' }, alpha: { secret: true, default: null }, 10: {}, middle: {} };
    await load(withStrategy({ configSchema: aConfigSchema(properties) }));
    const [{ text }] = (await catalog.sql('select config_schema::text as text from connector_auth_strategy')) as [
      SnapshotRow,
    ];
    expect(text).toBe(JSON.stringify(aConfigSchema(properties)));
  });

  it('stores every text unchanged, including SQL syntax', async () => {
    const text = `'"\\'' \\\\ ? ?? $1 $$ :name {0} %s %% -- /* ; \\n \n\t Ä 日本 😀 \u2028 null NULL`;
    await load(aVendor({ name: text, description: text, logo: { [text]: [text] } }));
    const [row] = await catalog.sql('select name, description, logo from platform_vendor');
    expect(row).toEqual({ name: text, description: text, logo: { [text]: [text] } });
  });

  it('gives every connector a slug that starts with its first tap', async () => {
    const plain = aConnector({ key: 'plain', name: 'The API', taps: [] });
    const groupings = [aGrouping(), aGrouping({ slug: 'plain', connector: 'plain' })];
    await load(aVendor({ connectors: [aConnector({ taps: [aTap({ name: 'pull_requests' })] }), plain], groupings }));
    const slugs = await catalog.column('connector', 'slug', 'definition_key');
    expect(slugs).toEqual([expect.stringMatching(/^pullrequ_\w{8}$/), expect.stringMatching(/^theapi_\w{8}$/)]);
  });

  it('gives a connector another slug if the first one is taken', async () => {
    await load(aVendor({ slug: 'other' }));
    const taken = await takingTheFirstSlug(() => load(aVendor()));
    const [{ slug }] = (await catalog.sql(
      `select c.slug from connector c join platform_vendor v on v.id = c.vendor_id where v.slug = 'acme'`,
    )) as [SnapshotRow];
    expect(taken).toMatch(/^issues_\w{8}$/);
    expect(slug).toMatch(/^issues_\w{8}$/);
    expect(slug).not.toBe(taken);
  });
});

describe('a second load of the same definitions', () => {
  it('writes nothing, keeps the revision and reports nothing', async () => {
    await load(aFullVendor(), aVendor({ slug: 'other' }));
    const before = await catalog.contents();
    expect(await load(aFullVendor(), aVendor({ slug: 'other' }))).toEqual({
      ...UNCHANGED,
      vendorsWithoutDefinition: [],
    });
    expect(await catalog.contents()).toEqual(before);
  });

  it('writes nothing for the shipped definitions', async () => {
    const shipped = await readDefinitions([join(PROJECT_ROOT, 'catalog')]);
    await load(...shipped);
    const before = await catalog.contents();
    expect(await load(...shipped)).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: [] });
    expect(await catalog.contents()).toEqual(before);
  });

  it('writes nothing if only the order of vendors and connectors differs', async () => {
    const spare = aConnector({ key: 'spare' });
    const groupings = [aGrouping(), aGrouping({ slug: 'spare', connector: 'spare' })];
    await load(aVendor({ connectors: [aConnector(), spare], groupings }), aVendor({ slug: 'other' }));
    const before = await catalog.contents();
    await load(aVendor({ slug: 'other' }), aVendor({ connectors: [spare, aConnector()], groupings }));
    expect(await catalog.contents()).toEqual(before);
  });
});

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
        'acme/main: timeoutSeconds',
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

  it('sets updatedAt of changed rows only', async () => {
    await load(aVendor({ connectors: [aConnector({ taps: [aTap(), aTap({ name: 'other' })] })] }));
    await catalog.sql(`update connector_tap set created_at = '2020-01-01', updated_at = '2020-01-01'`);
    await load(aVendor({ connectors: [aConnector({ taps: [aTap(), aTap({ name: 'other', description: 'New' })] })] }));
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
      ...['created_at', 'created_by', 'definition_key', 'id', 'name', 'release_status', 'slug'],
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
      ...['breadcrumbs', 'connector_id', 'grouping_path', 'id', 'is_leaf', 'name', 'release_stage', 'slug'],
      ...['sort_order', 'vendor_id'],
    ]);
  });

  it('writes a changed order of parts', async () => {
    const parts = (names: string[]) => ({
      taps: names.map((name) => aTap({ name })),
      supportedAuthStrategies: names.map((key) => aStrategy({ key })),
      inboundAuthStrategies: names.map((key) => anInboundStrategy({ key })),
    });
    await load(aVendor({ connectors: [aConnector(parts(['a', 'b', 'c']))] }));
    await load(aVendor({ connectors: [aConnector(parts(['c', 'new', 'a', 'b']))] }));
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
    await load(aVendor({ connectors: [aConnector({ inboundAuthStrategies: [anInboundStrategy()], ...parts })] }));
    const before = await catalog.contents();
    const { removed } = await load(
      aVendor({ connectors: [aConnector({ inboundAuthStrategies: [anInboundStrategy()] })] }),
    );
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
    const wide = aVendor({ connectors: [aConnector({ taps: [aTap(), aTap({ name: 'again' })] })] });
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
        g.integration_class as class, g.protocol_type as protocol, g.ingestion_config_schema as asked, c.definition_key as connector
        from platform_vendor_grouping g left join platform_vendor_grouping p on p.id = g.parent_id
        left join connector c on c.id = g.connector_id order by 1`,
    );
    const none = { class: null, protocol: null, asked: null, connector: null };
    const main = { leaf: true, asked: ingestionConfigSchema, connector: 'main' };
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

describe('a load that fails', () => {
  it.each([
    ['during the load', 'create trigger refuse after insert or update on connector_tap for each row'],
    [
      'at the commit',
      'create constraint trigger refuse after insert or update on connector_tap deferrable initially deferred for each row',
    ],
  ])('%s changes nothing, and the next load is complete', async (_, trigger) => {
    await load(aFullVendor(), aVendor({ slug: 'other' }));
    const before = await catalog.contents();
    const next = [
      aVendor({ slug: 'new' }),
      aVendor({ slug: 'other', name: 'New' }),
      aVendor({ connectors: [aConnector({ taps: [aTap(), aTap({ name: 'poison' })] })] }),
    ];
    await catalog.sql(
      `create function refuse() returns trigger language plpgsql as
        $$ begin if new.name = 'poison' then raise 'refused by the test'; end if; return null; end $$`,
    );
    await catalog.sql(`${trigger} execute function refuse()`);
    try {
      await expect(load(...next)).rejects.toThrow('refused by the test');
    } finally {
      await catalog.sql('drop function refuse() cascade');
    }
    expect(await catalog.contents()).toEqual(before);
    expect((await load(...next)).added).toContain('acme/main/poison');
    expect(await load(...next)).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: [] });
  });

  it('because the database rejects a value changes nothing', async () => {
    await load(aVendor());
    const before = await catalog.contents();
    const wrong = aVendor({ name: 'New', connectors: [aConnector({ releaseStatus: 'never' as 'draft' })] });
    await expect(load(aVendor({ slug: 'other' }), wrong)).rejects.toThrow('connector_release_status_check');
    expect(await catalog.contents()).toEqual(before);
  });
});

describe('two concurrent loads', () => {
  it('create one copy: one adds it, the other finds it', async () => {
    const reports = await Promise.all([load(aFullVendor()), loadDefinitions(twin.em, [aFullVendor()])]);
    const [idle, busy] = reports.sort((a, b) => a.added.length - b.added.length) as [LoadReport, LoadReport];
    expect(idle).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: [] });
    expect(busy.added.length).toBeGreaterThan(8);
    expect(await catalog.column('platform_vendor', 'slug')).toEqual(['acme']);
    expect(await load(aFullVendor())).toEqual({ ...UNCHANGED, vendorsWithoutDefinition: [] });
  });

  it('of different definitions store both', async () => {
    await Promise.all([load(aVendor()), loadDefinitions(twin.em, [aVendor({ slug: 'other' })])]);
    expect(await catalog.column('platform_vendor', 'slug', 'slug')).toEqual(['acme', 'other']);
    expect(await catalog.rows('catalog_revision')).toHaveLength(1);
  });
});

describe('one definition', () => {
  it('never changes the rows of another vendor, even with the same names', async () => {
    await load(aFullVendor(), { ...aFullVendor(), slug: 'other' });
    const before = await catalog.rowsOf('acme');
    expect(before).toHaveLength(6);
    await load(aVendor({ slug: 'other', name: 'New', connectors: [], groupings: [] }));
    await load({ ...aFullVendor(), slug: 'third' });
    expect(await catalog.rowsOf('acme')).toEqual(before);
  });
});

describe('a load after any others', () => {
  it('has the same result as a first load, and a further load changes nothing', async () => {
    const random = randomOf(seed);
    for (let step = 0; step < STEPS; step++) {
      const vendor = aRandomVendor(random);
      await load(vendor);
      const { vendorsWithoutDefinition, ...again } = await load(vendor);
      await load({ ...vendor, slug: 'fresh' });
      expect({ seed, step, again, is: await catalog.meaning('acme') }).toEqual({
        ...{ seed, step, again: UNCHANGED, is: await catalog.meaning('fresh') },
      });
      await load({ ...vendor, slug: 'fresh', connectors: [], groupings: [] });
    }
  });
});

const OFFERS = `select g.grouping_path as path, c.definition_key as key, g.integration_class as class
  from platform_vendor_grouping g join connector c on c.id = g.connector_id order by 1`;

function load(...definitions: VendorDefinition[]): Promise<LoadReport> {
  return loadDefinitions(orm.em, definitions);
}

function withStrategy(overrides: Parameters<typeof aStrategy>[0]): VendorDefinition {
  return aVendor({ connectors: [aConnector({ supportedAuthStrategies: [aStrategy(overrides)] })] });
}

/** Runs a load whose first slug is given to another connector before the loader checks it. */
async function takingTheFirstSlug(work: () => Promise<unknown>): Promise<string | undefined> {
  const { query } = pg.Client.prototype;
  let taken: string | undefined;
  pg.Client.prototype.query = function spied(this: pg.Client, ...args: unknown[]) {
    const send = () => Reflect.apply(query, this, args);
    const candidate = /\w{1,8}_[0-9A-Za-z]{8}(?=')/.exec(JSON.stringify(args))?.[0];
    if (taken || !candidate || this === client) return send();
    taken = candidate;
    return catalog.sql('update connector set slug = $1', [candidate]).then(send);
  } as typeof query;
  await work().finally(() => {
    pg.Client.prototype.query = query;
  });
  return taken;
}
