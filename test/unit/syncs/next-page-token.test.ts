import { describe, expect, it } from 'vitest';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import { nextPageToken } from '../../../src/syncs/pages/next-page-token.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import type { TapPage } from '../../../src/syncs/tap-page.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aReading, type ReadingFields } from '../../support/syncs/tap-reading.js';

interface Response {
  readonly document?: unknown;
  readonly link?: string;
  readonly records?: number | TapPage['records'];
}

function aPage({ document = {}, link, records = 0 }: Response): TapPage {
  const list = typeof records === 'number' ? Array.from({ length: records }, (_, id) => ({ id })) : records;
  return { document, headers: new Headers(link === undefined ? {} : { link }), records: list };
}

function nextOf(pagination: Pagination, response: Response, token?: PageToken, fields: ReadingFields = {}) {
  const reading = aReading({ ...fields, pagination });
  return nextPageToken(reading, token, buildTapRequest(reading, token), aPage(response));
}

/** The returned `token` is the position after the last request. */
function pagesOf(pagination: Pagination, responses: Response[], fields: ReadingFields = {}) {
  const reading = aReading({ ...fields, pagination });
  const queries: unknown[] = [];
  let token: PageToken | undefined;
  for (const response of responses) {
    const request = buildTapRequest(reading, token);
    queries.push(request.query);
    token = nextPageToken(reading, token, request, aPage(response));
    if (!token) break;
  }
  return { queries, token };
}

describe('the next page of a Link header', () => {
  const next = (link: string) => nextOf({ type: 'link_header' }, { link });

  it.each([
    ['<https://api.test/?page=2>; rel="next", <https://api.test/?page=9>; rel="last"', 'https://api.test/?page=2'],
    ['<https://api.test/?page=1>; rel="prev", </b?a=1,2;3>; title="a, <b>; rel=last"; REL=Next', '/b?a=1,2;3'],
    ['</b>; rel="first next"', '/b'],
    ['<?page=2>;rel=next', '?page=2'],
  ])('of %s is %s', (link, url) => expect(next(link)).toEqual({ url }));

  it.each(['', '</b>; rel="prev"', '</b>; title="; rel=next"', '</b>', 'next', '<>; rel=next', '</b>; xrel=next'])(
    'does not exist for %j',
    (link) => expect(next(link)).toBeUndefined(),
  );

  it('is requested without the parameters of the first page', () => {
    const rest = { endpoint: '/items', method: 'POST', queryParams: { limit: 1 }, requestBody: { a: 1 } };
    const reading = aReading({ rest });
    const request = buildTapRequest(reading, { url: '/b?c=1' });
    expect(request).toMatchObject({ method: 'POST', path: '/b?c=1', query: {}, json: { a: 1 } });
    expect(buildTapRequest(reading, { url: '?c=1&c=2' })).toMatchObject({ path: '/items', query: { c: ['1', '2'] } });
  });
});

describe('the next page of a cursor', () => {
  const paged = (cursor: Pagination['cursor']): Pagination => ({ type: 'cursor', cursor });

  it.each<[string, Pagination['cursor'], unknown, PageToken | undefined]>([
    ['a cursor', { cursorPath: 'next' }, { next: 'a' }, { cursor: 'a' }],
    ['a number', { cursorPath: 'next' }, { next: 0 }, { cursor: 0 }],
    ['an expression', { cursorPath: 'data[-1].id' }, { data: [{ id: 1 }, { id: 2 }] }, { cursor: 2 }],
    ['an empty cursor', { cursorPath: 'next' }, { next: '' }, undefined],
    ['no cursor', { cursorPath: 'next' }, {}, undefined],
    ['a boolean', { cursorPath: 'next' }, { next: false }, undefined],
    ['a URL', { cursorPath: 'next', cursorIsFullUrl: true }, { next: '/b' }, { url: '/b' }],
    ['a link', { cursorPath: 'next', cursorLinkParam: 'c' }, { next: '/b?c=x%3D' }, { cursor: 'x=' }],
    ['a link without it', { cursorPath: 'next', cursorLinkParam: 'c' }, { next: '/b?d=x' }, undefined],
    ['no more pages', { cursorPath: 'next', hasMorePath: 'more' }, { next: 'a', more: false }, undefined],
    ['more pages', { cursorPath: 'next', hasMorePath: 'more' }, { next: 'a', more: true }, { cursor: 'a' }],
    ['not the last page', { cursorPath: 'next', hasMorePath: '!last' }, { next: 'a' }, { cursor: 'a' }],
    ['the last page', { cursorPath: 'next', hasMorePath: '!last' }, { next: 'a', last: true }, undefined],
    ['neither', { cursorPath: 'next', hasMorePath: '!last' }, {}, undefined],
  ])('of %s', (_, cursor, document, token) => expect(nextOf(paged(cursor), { document })).toEqual(token));

  it('is an error if the response announces more pages but has no cursor', () => {
    const cursor = { cursorPath: 'next', hasMorePath: 'more' };
    expect(() => nextOf(paged(cursor), { document: { more: true } })).toThrow(TapReadError);
  });

  it('is an error if it is the same page', () => {
    const [byCursor, byUrl] = [{ cursorPath: 'next' }, { cursorPath: 'next', cursorIsFullUrl: true }].map(paged);
    const document = { next: '/b' };
    expect(() => nextOf(byCursor as Pagination, { document }, { cursor: '/b' })).toThrow(/its own page/);
    expect(() => nextOf(byUrl as Pagination, { document }, { url: '/b' })).toThrow(/its own page/);
  });

  it('is sent as a parameter, without the parameters that the cursor replaces', () => {
    const pagination = paged({ cursorParam: 'page[cursor]', cursorReplaces: ['start'] });
    const rest = { endpoint: '/items', queryParams: { start: 0, limit: 10 } };
    const { query } = buildTapRequest(aReading({ rest, pagination }), { cursor: 'a b' });
    expect(query).toEqual({ limit: 10, 'page[cursor]': 'a b' });
  });

  it('is sent in the body, or as a variable of GraphQL', () => {
    const rest = { endpoint: '/items', method: 'POST', requestBody: { page: { limit: 1 } } };
    const inBody = aReading({ rest, pagination: paged({ cursorBodyPath: 'page.cursor' }) });
    expect(buildTapRequest(inBody, { cursor: 'a' }).json).toEqual({ page: { limit: 1, cursor: 'a' } });
    expect(buildTapRequest(inBody).json).toEqual({ page: { limit: 1 } });
    const graphql = { endpoint: '/graphql', query: 'query A', variables: { cursor: null } };
    const byPath = aReading({ graphql, pagination: paged({ cursorBodyPath: 'variables.cursor' }) });
    expect(buildTapRequest(byPath, { cursor: 'a' }).json).toEqual({ query: 'query A', variables: { cursor: 'a' } });
  });

  it('of a nested list has its own query and expression', () => {
    const pagination = paged({
      cursorPath: 'all.next',
      nextCursorPath: 'one.next',
      nextQuery: 'query B',
      cursorParam: 'after',
      hasMorePath: 'all.more',
    });
    const graphql = { endpoint: '/graphql', query: 'query A' };
    expect(nextOf(pagination, { document: { all: { next: 'a', more: true } } }, undefined, { graphql })).toEqual({
      cursor: 'a',
    });
    const document = { one: { next: 'b' } };
    expect(nextOf(pagination, { document }, { cursor: 'a' }, { graphql })).toEqual({ cursor: 'b' });
    const request = buildTapRequest(aReading({ graphql, pagination }), { cursor: 'a' });
    expect(request.json).toEqual({ query: 'query B', variables: { after: 'a' } });
  });
});

describe('the next page of an offset', () => {
  const offset = { offsetParam: 'start', limitParam: 'count', defaultLimit: 3 };

  it('advances by the number of records, up to the total', () => {
    const pagination: Pagination = { type: 'offset', offset: { ...offset, totalPath: 'total' } };
    const document = { total: '5' };
    const { queries, token } = pagesOf(pagination, [
      { document, records: 3 },
      { document, records: 1 },
      { document, records: 1 },
    ]);
    expect(queries).toEqual([{ count: 3 }, { count: 3, start: 3 }, { count: 3, start: 4 }]);
    expect(token).toBeUndefined();
  });

  it.each([0, 2])('ends without a total at a page of %d records', (records) => {
    expect(pagesOf({ type: 'offset', offset }, [{ records: 3 }, { records }])).toMatchObject({
      queries: [{ count: 3 }, { count: 3, start: 3 }],
      token: undefined,
    });
  });

  it('ends at an empty page, even if the total is larger', () => {
    const pagination: Pagination = { type: 'offset', offset: { ...offset, totalPath: 'total' } };
    expect(nextOf(pagination, { document: { total: 9 } }, { offset: 3 })).toBeUndefined();
  });

  it('starts at the offset of the definition, with at most the maximum page size', () => {
    const pagination: Pagination = { type: 'offset', offset: { ...offset, maxLimit: 2 } };
    const rest = { endpoint: '/items', queryParams: { start: 1 } };
    expect(pagesOf(pagination, [{ records: 2 }, { records: 0 }], { rest }).queries).toEqual([
      { start: 1, count: 2 },
      { start: 3, count: 2 },
    ]);
  });

  it('is the URL in the response', () => {
    const pagination: Pagination = { type: 'offset', offset: { ...offset, nextPageLinkPath: 'next' } };
    expect(nextOf(pagination, { document: { next: '/b' }, records: 3 })).toEqual({ url: '/b' });
    expect(nextOf(pagination, { document: {}, records: 3 })).toBeUndefined();
  });
});

describe('the next page number', () => {
  const pageNumber = { pageParam: 'page', pageSizeParam: 'size', defaultPageSize: 2 };

  it('follows 1, up to a short page', () => {
    expect(pagesOf({ type: 'page_number', pageNumber }, [{ records: 2 }, { records: 2 }, { records: 1 }])).toEqual({
      queries: [{ size: 2 }, { size: 2, page: 2 }, { size: 2, page: 3 }],
      token: undefined,
    });
  });

  it('follows the number in the definition, up to the number of pages', () => {
    const pagination: Pagination = { type: 'page_number', pageNumber: { ...pageNumber, totalPagesPath: 'pages' } };
    const rest = { endpoint: '/items', queryParams: { page: 0 } };
    const response = { document: { pages: 3 }, records: 1 };
    const { queries, token } = pagesOf(pagination, Array(5).fill(response), { rest });
    expect(queries.map((query) => (query as { page: number }).page)).toEqual([0, 1, 2]);
    expect(token).toBeUndefined();
  });

  it('can be in the body', () => {
    const pagination: Pagination = {
      type: 'page_number',
      pageNumber: { pageParam: 'page.number', pageSizeParam: 'page.size', defaultPageSize: 2, paramLocation: 'body' },
    };
    const rest = { endpoint: '/items', method: 'POST', requestBody: { page: { number: 5 } } };
    const reading = aReading({ rest, pagination });
    const first = buildTapRequest(reading);
    expect(first).toMatchObject({ query: {}, json: { page: { number: 5, size: 2 } } });
    const token = nextPageToken(reading, undefined, first, aPage({ records: 2 }));
    expect(buildTapRequest(reading, token).json).toEqual({ page: { number: 6, size: 2 } });
  });
});

describe('the next page of a stored result', () => {
  const sessionPage = {
    sessionIdPath: 'handle',
    sessionIdParam: 'handle',
    pagePath: '/results/{handle}',
    pageParam: 'partition',
    totalPagesPath: 'length(partitions)',
  };
  const rest = { endpoint: '/statements', method: 'POST', headers: { Accept: 'a/b' }, requestBody: { sql: 'x' } };

  it('is requested by its number, up to the number of pages in the first response', () => {
    const reading = aReading({ rest, pagination: { type: 'session_page', sessionPage } });
    const document = { handle: 'a/b', partitions: [{}, {}, {}] };
    const second = nextPageToken(reading, undefined, buildTapRequest(reading), aPage({ document }));
    const request = buildTapRequest(reading, second);
    expect(request).toEqual({
      method: 'GET',
      path: '/results/{handle}',
      variables: { handle: { text: 'a/b', hasSegments: false } },
      query: { partition: 1 },
      headers: { Accept: 'a/b' },
    });
    const third = nextPageToken(reading, second, request, aPage({ document: {} }));
    expect(buildTapRequest(reading, third).query).toEqual({ partition: 2 });
    expect(nextPageToken(reading, third, request, aPage({ document: {} }))).toBeUndefined();
  });

  it('ends at a short page if the number of pages is unknown', () => {
    const settings = { ...sessionPage, totalPagesPath: undefined, defaultPageSize: 2 };
    const pagination: Pagination = { type: 'session_page', sessionPage: settings };
    const document = { handle: 'h' };
    expect(nextOf(pagination, { document, records: 2 }, undefined, { rest })).toMatchObject({ page: 1 });
    expect(nextOf(pagination, { document, records: 1 }, undefined, { rest })).toBeUndefined();
  });

  it('is an error without a session id', () => {
    const document = { partitions: [{}, {}] };
    expect(() => nextOf({ type: 'session_page', sessionPage }, { document }, undefined, { rest })).toThrow(
      /session id/,
    );
  });
});

describe('a query that restarts', () => {
  const pagination: Pagination = {
    type: 'cursor',
    cursor: { cursorPath: 'next', cursorBodyPath: 'after' },
    restart: { afterRecords: 4, keyField: 'id', bodyPath: 'filters[1].value' },
  };
  const rest = { endpoint: '/search', method: 'POST', requestBody: { filters: [{ value: 'x' }, { value: '0' }] } };
  const reading = aReading({ rest, pagination });
  const read = (token: PageToken | undefined, ids: number[], next?: string) =>
    nextPageToken(
      reading,
      token,
      buildTapRequest(reading, token),
      aPage({ document: { next }, records: ids.map((id) => ({ id })) }),
    );

  it('continues after the last record without a cursor, in the type of the definition', () => {
    const second = read(undefined, [1, 2], 'a');
    expect(second).toEqual({ cursor: 'a', records: 2 });
    const third = read(second, [3, 4], 'b');
    expect(third).toEqual({ restartAfter: 4, records: 0 });
    expect(buildTapRequest(reading, third).json).toEqual({ filters: [{ value: 'x' }, { value: '4' }] });
    const fourth = read(third, [5, 6], 'c');
    expect(buildTapRequest(reading, fourth).json).toEqual({ filters: [{ value: 'x' }, { value: '4' }], after: 'c' });
    expect(read(fourth, [7])).toBeUndefined();
  });

  it('restarts at the limit even if the source reports no next page', () =>
    expect(read({ cursor: 'a', records: 2 }, [3, 4])).toEqual({ restartAfter: 4, records: 0 }));

  it('ends at an empty page', () => expect(read({ restartAfter: 4, records: 0 }, [])).toBeUndefined());

  it('is an error without a new key', () => {
    expect(() => read({ restartAfter: 4, records: 2, cursor: 'a' }, [3, 4])).toThrow(/cannot restart/);
  });
});

describe('a tap without pages', () => {
  it('has one page', () => {
    expect(nextOf({ type: 'none' }, { records: 9 })).toBeUndefined();
    expect(nextPageToken(aReading(), undefined, buildTapRequest(aReading()), aPage({ records: 9 }))).toBeUndefined();
  });
});
