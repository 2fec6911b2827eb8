import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../bench/support/seeded-random.js';
import { readShippedDefinitions } from '../../src/catalog/definitions/shipped-definitions.js';
import type { LoadReport } from '../../src/catalog/loading/load-definitions.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  aStrategy,
  aTap,
  aVendor,
  seed,
  withConnector,
  withStrategy,
} from '../support/catalog/definition-builders.js';
import { aFullVendor, aRandomVendor } from '../support/catalog/random-vendors.js';
import { aCatalogDatabase, UNCHANGED } from '../support/database/catalog-database.js';
import type { SnapshotRow } from '../support/database/catalog-snapshot.js';
import { atScale } from '../support/soak.js';

const STEPS = atScale(6, 30);
const { catalog, client, tables, load, loadElsewhere } = await aCatalogDatabase();

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
    expect(await load()).toEqual(UNCHANGED);
    expect(await catalog.contents()).toEqual(tables.map((table) => ({ table, rows: [] })));
  });

  it('keeps the order of parts, regardless of their names', async () => {
    const taps = ['c', 'a', 'b'].map((name) => aTap({ name }));
    const supportedAuthStrategies = ['z', 'y'].map((key) => aStrategy({ key }));
    await load(withConnector({ taps, supportedAuthStrategies }));
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

  it('stores every string unchanged, including SQL syntax', async () => {
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

  it('gives a connector a different slug if its first slug is taken', async () => {
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
    expect(await load(aFullVendor(), aVendor({ slug: 'other' }))).toEqual(UNCHANGED);
    expect(await catalog.contents()).toEqual(before);
  });

  it('writes nothing for the shipped definitions', async () => {
    const shipped = await readShippedDefinitions();
    await load(...shipped);
    const before = await catalog.contents();
    expect(await load(...shipped)).toEqual(UNCHANGED);
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
      withConnector({ taps: [aTap(), aTap({ name: 'poison' })] }),
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
    expect(await load(...next)).toEqual(UNCHANGED);
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
  it('create one copy: one load adds it, the other load finds it', async () => {
    const reports = await Promise.all([load(aFullVendor()), loadElsewhere(aFullVendor())]);
    const [idle, busy] = reports.sort((a, b) => a.added.length - b.added.length) as [LoadReport, LoadReport];
    expect(idle).toEqual(UNCHANGED);
    expect(busy.added.length).toBeGreaterThan(8);
    expect(await catalog.column('platform_vendor', 'slug')).toEqual(['acme']);
    expect(await load(aFullVendor())).toEqual(UNCHANGED);
  });

  it('of different definitions store both', async () => {
    await Promise.all([load(aVendor()), loadElsewhere(aVendor({ slug: 'other' }))]);
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

describe('a load after any other loads', () => {
  it('has the same result as a first load, and a further load changes nothing', async () => {
    const random = seededRandom(seed);
    for (let step = 0; step < STEPS; step++) {
      const vendor = aRandomVendor(random);
      await load(vendor);
      const { vendorsWithoutDefinition, ...again } = await load(vendor);
      await load({ ...vendor, slug: 'fresh' });
      expect({ seed, step, again, is: await catalog.meaning('acme') }).toEqual({
        ...{ seed, step, again: { added: [], changed: [], removed: [] }, is: await catalog.meaning('fresh') },
      });
      await load({ ...vendor, slug: 'fresh', connectors: [], groupings: [] });
    }
  });
});

/**
 * Runs `work`, which loads definitions. Before the loader stores its first new slug, gives this slug to the existing
 * connectors. Returns the slug.
 */
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
