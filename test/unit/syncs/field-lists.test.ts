import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageToken } from '../../../src/syncs/page-token.js';
import type { PageRead } from '../../../src/syncs/reading/page-read.js';
import { splitFields } from '../../../src/syncs/requests/split-fields.js';
import { type ReceivedRequest, type StubResponse } from '../../support/servers/source-server.js';
import { StubbedVendor } from '../../support/syncs/stubbed-vendor.js';

type Item = Record<string, unknown> & { id: number };

const NAMES = ['id', 'updated', 'a', 'b', 'c'];
const connector = {
  fieldDiscovery: {
    ...{ endpointTemplate: '/describe/{objectName}', fieldArrayPath: 'fields', wildcardToken: '$ALL' },
    maxFieldsLength: 'id,updated,a'.length,
  },
};
const tap = {
  objectName: 'Account',
  responseExtraction: { primaryKey: 'id', responsePath: 'items' },
  sync: { mode: 'incremental' as const, cursorField: 'updated', cursorValueFormat: 'epoch_seconds' },
  transportOptions: [
    {
      ...{ apiType: 'rest' as const, restConfig: { endpoint: '/items', queryParams: { fields: '$ALL' } } },
      pagination: { type: 'cursor' as const, cursor: { cursorPath: 'next', cursorParam: 'after' } },
    },
  ],
};

const vendor = new StubbedVendor();
/**
 * `items` are the records of the vendor. `sizes` maps the last field of a request to the number of records per page.
 */
let items: Item[];
let sizes: Readonly<Record<string, number>>;
let onPage: (request: ReceivedRequest) => void;

beforeAll(() => vendor.open());
afterAll(() => vendor.server.close());
beforeEach(() => {
  vendor.reset();
  items = Array.from({ length: 12 }, (_, at) => anItem(at + 1));
  sizes = { a: 4, b: 2, c: 4 };
  onPage = () => undefined;
  vendor.respond = respond;
});

function anItem(id: number): Item {
  return { id, updated: 1_000 + id, a: `a${id}`, b: [`b${id}`], c: { d: id } };
}

/** Responds with the names of all fields, or with the page after the key that the request contains. */
function respond(request: ReceivedRequest): StubResponse {
  if (request.path === '/describe/Account') return { fields: NAMES.map((name) => ({ name })) };
  onPage(request);
  const fields = `${request.url.searchParams.get('fields')}`.split(',');
  const after = Number(request.url.searchParams.get('after') ?? 0);
  const rest = items.filter(({ id }) => id > after);
  const page = rest.slice(0, sizes[`${fields.at(-1)}`]);
  const selected = page.map((item) => Object.fromEntries(fields.map((field) => [field, item[field]])));
  return { items: selected, ...(rest.length > page.length && { next: page.at(-1)?.id }) };
}

/**
 * Responds like `respond`. If the last field of the request is `field`, omits the records with ids for which
 * `isMissing` is true.
 */
function withoutSome(field: string, isMissing: (id: number) => boolean) {
  return (request: ReceivedRequest): StubResponse => {
    const all = items;
    if (request.url.searchParams.get('fields')?.endsWith(field)) items = all.filter(({ id }) => !isMissing(id));
    const response = respond(request);
    items = all;
    return response;
  };
}

async function pagesFrom(from?: PageToken): Promise<PageRead[]> {
  const pages: PageRead[] = [];
  for await (const page of vendor.pagesOf({ connector, tap, ...(from && { from }) })) pages.push(page);
  return pages;
}

const recordsIn = (pages: readonly PageRead[]) => pages.flatMap(({ records }) => records.map(({ record }) => record));
const storable = (token: PageToken | undefined): PageToken => JSON.parse(JSON.stringify(token));

describe('a list of fields that is too long for one request', () => {
  it('is read with several requests, whose records are merged by key', async () => {
    const pages = await pagesFrom();
    expect(recordsIn(pages)).toEqual(items);
    const sent = vendor.server.requests.map(({ url }) => url.searchParams.get('fields'));
    expect(new Set(sent.slice(1))).toEqual(new Set(['id,updated,a', 'id,updated,b', 'id,updated,c']));
    expect(pages.length).toBeGreaterThan(2);
  });

  it('continues after each position without losing or repeating a record', async () => {
    const pages = await pagesFrom();
    for (const [at, { next }] of pages.slice(0, -1).entries()) {
      const before = recordsIn(pages.slice(0, at + 1));
      expect([...before, ...recordsIn(await pagesFrom(storable(next)))]).toEqual(items);
    }
  });

  it('yields a position whenever pages of different sizes end at the same record', async () => {
    items = Array.from({ length: 3_000 }, (_, at) => anItem(at + 1));
    sizes = { a: 1_000, b: 250, c: 500 };
    const pages = await pagesFrom();
    expect(pages.map(({ records }) => records.length)).toEqual([1_000, 1_000, 1_000]);
    expect(pages.map(({ next }) => next?.fieldLists?.waiting)).toEqual([undefined, undefined, undefined]);
  });

  it('omits a record that was deleted between its requests, and continues with the shifted pages', async () => {
    sizes = { a: 2, b: 2, c: 2 };
    onPage = ({ url }) => {
      if (url.searchParams.get('fields')?.endsWith('b')) items = items.filter(({ id }) => id !== 2);
    };
    const pages = await pagesFrom();
    const [first] = pages;
    expect(first?.next?.fieldLists?.waiting).toHaveLength(2);
    expect(recordsIn(pages)).toEqual(items);
    items.splice(1, 0, anItem(2));
    onPage = () => undefined;
    const rest = recordsIn(await pagesFrom(storable(first?.next)));
    expect([...recordsIn([first as PageRead]), ...rest].map(({ id }) => id).sort()).toEqual(
      items
        .map(({ id }) => id)
        .filter((id) => id !== 2)
        .sort(),
    );
  });

  it('keeps incomplete records while a request with other fields returns many pages without records', async () => {
    vendor.respond = (request) => {
      const after = Number(request.url.searchParams.get('after') ?? 0);
      const isEmptyPage = request.url.searchParams.get('fields')?.endsWith('c') && after < 0.5;
      return isEmptyPage ? { items: [], next: after + 1 / 32 } : respond(request);
    };
    expect(recordsIn(await pagesFrom())).toEqual(items);
  });

  it('keeps the older cursor of a record that changes between its requests', async () => {
    onPage = ({ url }) => {
      if (url.searchParams.get('fields')?.endsWith('c')) items[0] = { ...anItem(1), updated: 9_000 };
    };
    const [page] = await pagesFrom();
    expect(page?.records[0]).toMatchObject({ cursor: 1_001_000, record: { updated: 1_001 } });
  });

  it('is a contract error if the response to one request lacks most records', async () => {
    vendor.respond = (request) =>
      request.url.searchParams.get('fields')?.endsWith('c') ? { items: [] } : respond(request);
    expect(await vendor.failureOf({ connector, tap })).toMatchObject({
      ...{ errorClass: 'contract', message: expect.stringContaining('lacks most records') },
    });
  });

  it('is a contract error if the responses to one request lack most records, even in many short steps', async () => {
    items = Array.from({ length: 100 }, (_, at) => anItem(at + 1));
    sizes = { a: 2, b: 2, c: 2 };
    vendor.respond = withoutSome('c', (id) => id > 40);
    const read = async () => {
      let next: PageToken | undefined;
      do {
        const pages = vendor.pagesOf({ connector, tap, ...(next && { from: storable(next) }) });
        next = ((await pages.next()).value as PageRead).next;
      } while (next);
    };
    await expect(read()).rejects.toThrow('lacks most records');
  });

  it('continues at a position without an error if the responses to one request lack few of all records', async () => {
    sizes = { a: 2, b: 2, c: 2 };
    vendor.respond = withoutSome('b', (id) => id > 8 && id < 12);
    const pages = await pagesFrom();
    const rest = await pagesFrom(storable(pages.at(-2)?.next));
    expect(recordsIn(rest).length).toBeLessThan(3);
    expect(recordsIn([...pages.slice(0, -1), ...rest])).toHaveLength(9);
  });

  it('is a contract error if records have no key', async () => {
    items = [{ ...anItem(1), id: undefined as never }];
    sizes = {};
    vendor.respond = (request) => (request.path === '/items' ? { items: [{ updated: 1 }] } : respond(request));
    expect(await vendor.failureOf({ connector, tap })).toMatchObject({
      ...{ errorClass: 'contract', message: expect.stringContaining('a record has no primary key') },
    });
  });

  it('is a contract error if the orders of the records differ so much that they do not fit into memory', async () => {
    const others = Array.from({ length: 7_000 }, (_, at) => at + 1);
    const PAGES: Readonly<Record<string, number>> = { a: 0, b: 10_000, c: 20_000 };
    vendor.respond = (request) => {
      const field = request.url.searchParams.get('fields')?.at(-1);
      if (!field) return respond(request);
      return { items: others.map((id) => ({ id: id + (PAGES[field] ?? 0) })), next: field };
    };
    expect((await vendor.failureOf({ connector, tap })).message).toContain('more than 20,000 records wait in memory');
  });
});

describe('splitFields', () => {
  const split = (maxFieldsLength?: number, more = {}) =>
    splitFields(NAMES, { ...(maxFieldsLength && { maxFieldsLength }), ...more }, tap as never);

  it('keeps a list that is short enough', () => {
    expect(split()).toEqual([NAMES]);
    expect(split(NAMES.join(',').length)).toEqual([NAMES]);
  });

  it('repeats the fields of the key and the cursor, and the configured fields', () => {
    expect(split(14)).toEqual([NAMES.slice(0, 4), ['id', 'updated', 'c']]);
    expect(split(14, { repeatedFields: ['b', 'unknown'] })).toEqual([
      ['id', 'updated', 'b', 'a'],
      ['id', 'updated', 'b', 'c'],
    ]);
  });

  it('has one further field per list if the repeated fields exceed the length', () => {
    expect(split(3).map((list) => list.at(-1))).toEqual(['a', 'b', 'c']);
  });

  it('keeps one list that is too long if all fields are repeated', () => {
    expect(split(3, { repeatedFields: NAMES })).toEqual([NAMES]);
  });
});
