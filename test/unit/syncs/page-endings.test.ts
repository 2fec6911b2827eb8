import { describe, expect, it } from 'vitest';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import { nextPageToken } from '../../../src/syncs/pages/next-page-token.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { aReading, type ReadingFields } from '../../support/syncs/tap-reading.js';

interface Response {
  readonly document?: object;
  readonly headers?: Record<string, string>;
  readonly records?: number;
}

function nextOf(pagination: Pagination, response: Response, token?: PageToken, fields: ReadingFields = {}) {
  const reading = aReading({ ...fields, pagination });
  const { document = {}, headers = {}, records = 0 } = response;
  const list = Array.from({ length: records }, (_, id) => ({ id }));
  const page = { document, headers: new Headers(headers), records: list };
  return nextPageToken(reading, token, buildTapRequest(reading, token), page);
}

describe('a cursor', () => {
  const inHeader: Pagination = { type: 'cursor', cursor: { cursorHeader: 'X-Next', cursorParam: 'after' } };

  it('can be in a header', () => {
    expect(nextOf(inHeader, { headers: { 'x-next': 'a' } })).toEqual({ cursor: 'a' });
    expect(nextOf(inHeader, {})).toBeUndefined();
  });

  it('can be a number in a header', () => {
    const cursor = { cursorHeader: 'X-Next', cursorIsNumber: true, cursorBodyPath: 'first_row' };
    const pagination: Pagination = { type: 'cursor', cursor };
    expect(nextOf(pagination, { headers: { 'x-next': '51' } })).toEqual({ cursor: 51 });
    expect(nextOf(pagination, {})).toBeUndefined();
    expect(() => nextOf(pagination, { headers: { 'x-next': 'a' } })).toThrow(TapReadError);
  });

  it('can be a parameter of a link in a header', () => {
    const cursor = { ...inHeader.cursor, cursorLinkParam: 'page_info' };
    const headers = { 'x-next': '/items?page_info=p%3D&limit=1' };
    expect(nextOf({ type: 'cursor', cursor }, { headers })).toEqual({ cursor: 'p=' });
  });

  it('can be an object, whose members are all sent back', () => {
    const pagination: Pagination = { type: 'cursor', cursor: { cursorPath: 'continue', cursorIsObject: true } };
    const token = nextOf(pagination, { document: { continue: { rccontinue: '2|7', continue: '-||' } } });
    const rest = { endpoint: '/api', queryParams: { action: 'query' } };
    expect(buildTapRequest(aReading({ pagination, rest }), token).query).toEqual({
      ...{ action: 'query', rccontinue: '2|7', continue: '-||' },
    });
    expect(nextOf(pagination, { document: { continue: {} } })).toBeUndefined();
    expect(nextOf(pagination, {})).toBeUndefined();
    const graphql = { endpoint: '/g', query: 'query', variables: {} };
    expect(buildTapRequest(aReading({ pagination, graphql }), { cursor: { a: 1 } }).json).toMatchObject({
      variables: { a: 1 },
    });
  });

  it('can be an object in the body', () => {
    const cursor = { cursorPath: 'last', cursorBodyPath: 'ExclusiveStartKey' };
    const rest = { endpoint: '/q', method: 'POST', requestBody: {} };
    const reading = aReading({ pagination: { type: 'cursor', cursor }, rest });
    expect(buildTapRequest(reading, { cursor: { pk: 'a' } }).json).toEqual({ ExclusiveStartKey: { pk: 'a' } });
  });

  it('of an empty page is ignored if the definition says that an empty page is the last page', () => {
    const cursor = { cursorPath: 'max', cursorParam: 'since' };
    const document = { max: 9 };
    expect(nextOf({ type: 'cursor', cursor }, { document })).toEqual({ cursor: 9 });
    expect(nextOf({ type: 'cursor', lastPage: 'empty_page', cursor }, { document })).toBeUndefined();
    expect(nextOf({ type: 'cursor', lastPage: 'empty_page', cursor }, { document, records: 1 })).toEqual({ cursor: 9 });
  });
});

describe('an offset', () => {
  const offset = { offsetParam: 'offset', limitParam: 'limit', defaultLimit: 2 };
  const paged = (more: object = {}, all: object = {}): Pagination => ({
    ...{ type: 'offset', offset: { ...offset, ...more } },
    ...all,
  });

  it('can be in the body', () => {
    const more = { offsetParam: 'page.offset', limitParam: 'page.limit', paramLocation: 'body' };
    const rest = { endpoint: '/items', method: 'POST', requestBody: { q: 1 } };
    const sent = (token?: PageToken, requestBody: object = rest.requestBody) =>
      buildTapRequest(aReading({ pagination: paged(more), rest: { ...rest, requestBody: { ...requestBody } } }), token);
    expect(sent().json).toEqual({ q: 1, page: { limit: 2 } });
    expect(sent({ offset: 4 }).json).toEqual({ q: 1, page: { limit: 2, offset: 4 } });
    expect(sent({ offset: 4 }, { page: { limit: 50 } }).json).toEqual({ page: { limit: 50, offset: 4 } });
    expect(sent().query).toEqual({});
    expect(nextOf(paged(more), { records: 2 }, { offset: 2 }, { rest })).toEqual({ offset: 4 });
    expect(nextOf(paged(more), { records: 1 }, { offset: 2 }, { rest })).toBeUndefined();
  });

  it('ends at the total in a header', () => {
    const pagination = paged({ totalHeader: 'X-Total-Count' });
    expect(nextOf(pagination, { records: 1, headers: { 'x-total-count': '2' } })).toEqual({ offset: 1 });
    expect(nextOf(pagination, { records: 2, headers: { 'x-total-count': '2' } })).toBeUndefined();
    expect(nextOf(pagination, { records: 2 })).toEqual({ offset: 2 });
  });

  it('ends when the response has no more pages', () => {
    const pagination = paged({ hasMorePath: 'more' });
    expect(nextOf(pagination, { records: 1, document: { more: true } })).toEqual({ offset: 1 });
    expect(nextOf(pagination, { records: 2, document: { more: false } })).toBeUndefined();
    expect(() => nextOf(pagination, { document: { more: true } })).toThrow(TapReadError);
  });

  it('continues after a short page if only an empty page is the last page', () => {
    expect(nextOf(paged(), { records: 1 })).toBeUndefined();
    expect(nextOf(paged({}, { lastPage: 'empty_page' }), { records: 1 })).toEqual({ offset: 1 });
    expect(nextOf(paged({}, { lastPage: 'empty_page' }), {})).toBeUndefined();
  });
});

describe('a page number', () => {
  const paged = (more: object, all: object = {}): Pagination => ({
    ...{ type: 'page_number', pageNumber: { pageParam: 'page', pageSizeParam: 'size', defaultPageSize: 2, ...more } },
    ...all,
  });

  it('ends at the number of pages in a header', () => {
    const pagination = paged({ totalPagesHeader: 'X-Total-Pages' });
    const headers = { 'x-total-pages': '2' };
    expect(nextOf(pagination, { records: 1, headers })).toEqual({ page: 2, firstPage: 1 });
    expect(nextOf(pagination, { records: 2, headers }, { page: 2, firstPage: 1 })).toBeUndefined();
  });

  it.each([
    ['a header', { totalHeader: 'X-Total' }, { headers: { 'x-total': '3' } }],
    ['the body', { totalPath: 'total' }, { document: { total: 3 } }],
  ])('ends at the number of records in %s', (_, more, response) => {
    const second = nextOf(paged(more), { records: 1, ...response });
    expect(second).toEqual({ page: 2, firstPage: 1, records: 1 });
    expect(nextOf(paged(more), { records: 2, ...response }, second)).toBeUndefined();
    expect(nextOf(paged(more), { records: 0, ...response }, second)).toBeUndefined();
  });

  it('ends when the response has no more pages, even after an empty page', () => {
    const pagination = paged({ hasMorePath: 'more' });
    expect(nextOf(pagination, { document: { more: true } })).toEqual({ page: 2, firstPage: 1 });
    expect(nextOf(pagination, { records: 2, document: {} })).toBeUndefined();
  });

  it('continues after a short page if only an empty page is the last page', () => {
    const pagination = paged({}, { lastPage: 'empty_page' });
    expect(nextOf(pagination, { records: 1 })).toEqual({ page: 2, firstPage: 1 });
    expect(nextOf(pagination, {}, { page: 2, firstPage: 1 })).toBeUndefined();
  });
});

describe('a status after the last page', () => {
  const pagination: Pagination = { type: 'page_number', endStatuses: [404], pageNumber: { pageParam: 'page' } };
  const reading = aReading({ pagination });
  const read = (status: number, token?: PageToken) => {
    const reply = { status, url: 'https://api.test/', headers: new Headers(), body: Buffer.from('{}') };
    return readTapResponse(reading, reply as never, token ? { token } : {});
  };

  it('is an empty page, after which there is no page', () => {
    const token = { page: 2, firstPage: 1 };
    const page = read(404, token);
    expect(page.records).toEqual([]);
    expect(nextPageToken(reading, token, buildTapRequest(reading, token), page)).toBeUndefined();
  });

  it('is a failure of the first page, and of other statuses', () => {
    expect(() => read(404)).toThrow(TapReadError);
    expect(() => read(400, { page: 2, firstPage: 1 })).toThrow(TapReadError);
  });
});
