import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { mergeRecords } from '../../../src/syncs/responses/merge-records.js';
import { StubbedVendor } from '../../support/syncs/stubbed-vendor.js';

const vendor = new StubbedVendor();
beforeAll(() => vendor.open());
afterAll(() => vendor.server.close());

/** The first two pages contain parts of record 1. The last two pages contain parts of record 3. */
const PAGES = [
  { items: [{ id: 1, title: 'One', tags: ['a'] }, { id: 2 }], next: 1 },
  { items: [{ id: 1, tags: ['b'], owner: { name: 'Ann' } }], complete: true, next: 2 },
  { items: [{ id: 3, size: 1 }], next: 3 },
  { items: [{ id: 3, title: 'Three' }, { id: 4 }] },
];

async function pagesOf(tap: Partial<TapDefinition> = {}, from?: { cursor: number }) {
  vendor.respond = ({ url }) => PAGES[Number(url.searchParams.get('after') ?? 0)] as object;
  const responseExtraction = {
    ...{ primaryKey: 'id', responsePath: 'items', recordParts: { completePath: 'complete' } },
    ...tap.responseExtraction,
  };
  const pages = [];
  for await (const page of vendor.pagesOf({ tap: { responseExtraction }, ...(from && { from }) })) pages.push(page);
  return pages;
}

it('merges the parts of a record by its key, and yields a page only when its records are complete', async () => {
  const pages = await pagesOf();
  expect(pages.map(({ records }) => records.map(({ record }) => record))).toEqual([
    [{ id: 1, title: 'One', tags: ['a', 'b'], owner: { name: 'Ann' } }, { id: 2 }],
    [{ id: 3, size: 1, title: 'Three' }, { id: 4 }],
  ]);
  expect(pages.map(({ next }) => next?.cursor)).toEqual([2, undefined]);
  expect(pages.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(PAGES.reduce((sum, page) => sum + size(page), 0));
});

it('continues after the last complete page', async () => {
  const pages = await pagesOf({}, { cursor: 2 });
  expect(pages.flatMap(({ records }) => records.map(({ key }) => key))).toEqual(['3', '4']);
});

it('takes the cursor from the part that has a cursor', async () => {
  const parts = [{ id: 1 }, { id: 1, updated: 7 }];
  vendor.respond = () => ({ items: parts });
  const responseExtraction = { primaryKey: 'id', responsePath: 'items', recordParts: { completePath: 'complete' } };
  const sync = { mode: 'incremental' as const, cursorField: 'updated', cursorValueFormat: 'epoch_seconds' };
  const records = [];
  for await (const page of vendor.pagesOf({ tap: { responseExtraction, sync } })) records.push(...page.records);
  expect(records).toMatchObject([{ key: '1', cursor: 7_000 }]);
});

it('merges no part of pages that are read again', async () => {
  const failures = [1];
  const responseExtraction = { primaryKey: 'id', responsePath: 'items', recordParts: { completePath: 'complete' } };
  const transportOptions = [
    {
      ...{ apiType: 'rest' as const, restConfig: { endpoint: '/items' } },
      pagination: { type: 'cursor' as const, cursor: { cursorPath: 'next', cursorParam: 'after' } },
      errorBodyRules: [{ statusCode: 400, action: 'reset_paging' as const }],
    },
  ];
  vendor.respond = ({ url }) => {
    const at = Number(url.searchParams.get('after') ?? 0);
    return at === 1 && failures.pop() ? { status: 400 } : (PAGES[at] as object);
  };
  const pages = [];
  for await (const page of vendor.pagesOf({ tap: { responseExtraction, transportOptions } })) pages.push(page);
  expect(pages[0]?.records[0]?.record).toMatchObject({ id: 1, tags: ['a', 'b'] });
});

it('limits the number of incomplete records', async () => {
  const item = (id: number) => ({ id });
  const ofPage = (page: number) => Array.from({ length: 6_000 }, (_, at) => item(page * 6_000 + at));
  vendor.respond = ({ url }) => {
    const page = Number(url.searchParams.get('after') ?? 0);
    return { items: ofPage(page), next: page + 1 };
  };
  const responseExtraction = { primaryKey: 'id', responsePath: 'items', recordParts: { completePath: 'complete' } };
  expect(await vendor.failureOf({ tap: { responseExtraction } })).toMatchObject({
    ...{ errorClass: 'contract', message: 'More than 10,000 records still lack parts from later pages.' },
  });
});

it.each([
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1 }, { a: null }, { a: 1 }],
  [{ a: { b: 1 } }, { a: { c: [1] } }, { a: { b: 1, c: [1] } }],
  [{ a: [1] }, { a: 2 }, { a: 2 }],
])('merges %j and %j to %j', (one, other, merged) => expect(mergeRecords(one, other)).toEqual(merged));

function size(page: object): number {
  return JSON.stringify(page).length;
}
