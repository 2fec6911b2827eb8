import { expect, it } from 'vitest';
import { PlatformVendor } from '../../../src/catalog/model/platform-vendor.js';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { JsonText, jsonTextKey, writeJson } from '../../../src/kernel/entities/json-text.js';
import { overrideRow } from '../../../src/kernel/reading/override-row.js';

type Vendor = Record<string | symbol, unknown>;

const table = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata()).of(PlatformVendor);
const { decode } = table.only(new Set(['name', 'logo']), () => undefined);
const LOGO = jsonTextKey('logo');

/** `logo` is the JSON text of the vendor's logo. */
const vendorWith = (logo: string | null): Vendor => decode(['Acme', logo]);

it('a row has the unchanged text of a JSON column', () => {
  const vendor = vendorWith('{ "b": 1e0, "a": [] }');
  expect(writeJson(vendor[LOGO])).toBe('{ "b": 1e0, "a": [] }');
  expect(vendor.logo).toEqual({ b: 1, a: [] });
});

it('a value that was changed after parsing hides the text', () => {
  const vendor = vendorWith('{"secret":"hidden"}');
  delete (vendor.logo as Vendor).secret;
  expect(writeJson(vendor[LOGO])).toBe('{}');
});

it.each<[string, (row: Vendor) => Vendor]>([
  ['overrideRow', (row) => overrideRow(row, { logo: { alt: 'ours' } })],
  ['overrideRow twice', (row) => overrideRow(overrideRow(row, { logo: { alt: 'ours' } }), { name: 'Other' })],
  ['Object.create', (row) => Object.create(row, { logo: { value: { alt: 'ours' } } })],
  ['an assignment', (row) => Object.assign(row, { logo: { alt: 'ours' } })],
])('a value that overrides a column hides its text: %s', (_, override) => {
  const shown = override(vendorWith('{"secret":"hidden"}'));
  expect(writeJson(shown[LOGO])).toBe('{"alt":"ours"}');
});

it('an override of another column keeps the text', () => {
  expect(overrideRow(vendorWith('{ }'), { name: 'Other' })[LOGO]).toEqual(new JsonText('{ }'));
});

it.each([[null], ['null']])('a JSON column without a value has no text: %s', (text) => {
  expect(vendorWith(text)[LOGO]).toBeNull();
});

it('an object that is not a row has no text', () => {
  expect(({ logo: {} } as Vendor)[LOGO]).toBeUndefined();
});
