import { describe, expect, it } from 'vitest';
import type { AsyncQuery } from '../../../src/catalog/model/tap-sync.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import { isFileList, pollingOf, readQueryStatus, startedQuery } from '../../../src/syncs/pages/async-query.js';
import { nextPageToken } from '../../../src/syncs/pages/next-page-token.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import { buildDescribeRequest, readFieldNames } from '../../../src/syncs/requests/describe-request.js';
import { aReading } from '../../support/syncs/tap-reading.js';

const rest = { endpoint: '/queries', method: 'POST', headers: { Accept: 'a/b' }, requestBody: { sql: 'x' } };

function reading(asyncQuery: AsyncQuery) {
  const settings = {
    queryIdPath: 'job.id',
    statusEndpoint: '/queries/{queryId}',
    recordsEndpoint: '/queries/{queryId}/records',
    statusPath: 'state',
    successValue: 'Done',
    failureValue: 'Failed',
    failureValues: ['Aborted'],
    ...asyncQuery,
  };
  return aReading({ rest, tap: { sync: { mode: 'full', asyncQuery: settings } } });
}

const aPage = (document: unknown) => ({ document, headers: new Headers(), records: [{ id: 1 }] });

describe('an asynchronous query', () => {
  const running: PageToken = { query: { id: 'q/1', startedAt: 5, isFinished: false } };
  const finished: PageToken = { query: { id: 'q/1', startedAt: 5, isFinished: true } };

  it('starts, is polled and read by its id', () => {
    const tap = reading({ recordsQueryParams: { max: 10 } });
    expect(buildTapRequest(tap)).toMatchObject({ method: 'POST', path: '/queries', json: { sql: 'x' } });
    expect(startedQuery(tap, { job: { id: 'q/1' } }, 5)).toEqual(running);
    const variables = { queryId: { text: 'q/1', hasSegments: false } };
    const headers = { Accept: 'a/b' };
    expect(buildTapRequest(tap, running)).toEqual({
      method: 'GET',
      path: '/queries/{queryId}',
      variables,
      query: {},
      headers,
    });
    expect(buildTapRequest(tap, finished)).toEqual({
      method: 'GET',
      path: '/queries/{queryId}/records',
      variables,
      query: { max: 10 },
      headers,
    });
    expect(nextPageToken(tap, finished, buildTapRequest(tap, finished), aPage({}))).toBeUndefined();
  });

  it.each([{}, { job: { id: '' } }, { job: { id: null } }])('is an error without an id: %j', (document) =>
    expect(() => startedQuery(reading({}), document, 5)).toThrow(/no query id/),
  );

  it.each([
    ['Done', 'finished'],
    ['Failed', 'failed'],
    ['Aborted', 'failed'],
    ['InProgress', 'running'],
    [undefined, 'running'],
  ])('with status %s is %s', (state, status) => expect(readQueryStatus(reading({}), { state })).toBe(status));

  it('compares numbers as text', () =>
    expect(readQueryStatus(reading({ successValue: '200' }), { state: 200 })).toBe('finished'));

  it('is polled at intervals, up to a timeout', () => {
    expect(pollingOf(reading({ pollIntervalSeconds: 5, maxPollSeconds: 60 }))).toEqual({
      intervalMs: 5_000,
      timeoutMs: 60_000,
    });
    expect(pollingOf(reading({}))).toEqual({ intervalMs: 10_000, timeoutMs: 3_600_000 });
  });

  it('has pages of a stored result', () => {
    const sessionPage = {
      sessionIdPath: 'handle',
      sessionIdParam: 'handle',
      pagePath: '/queries/{handle}',
      pageParam: 'partition',
      totalPagesPath: 'pages',
    };
    const tap = reading({ recordsPagination: { type: 'session_page', sessionPage } });
    const next = nextPageToken(tap, finished, buildTapRequest(tap, finished), aPage({ handle: 'h', pages: 2 }));
    expect(next).toMatchObject({ query: finished.query, page: 1 });
    expect(buildTapRequest(tap, next)).toMatchObject({
      path: '/queries/{handle}',
      variables: { handle: { text: 'h' } },
      query: { partition: 1 },
    });
    expect(nextPageToken(tap, next, buildTapRequest(tap, next), aPage({}))).toBeUndefined();
  });

  it('has lists of result files, whose files are read before the next list', () => {
    const tap = reading({
      externalLinksPath: 'files[].url',
      recordsPagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorIsFullUrl: true } },
    });
    const files = (...urls: string[]) => ({ files: urls.map((url) => ({ url })) });
    const responses = [
      { ...files('/f1', '/f2'), next: '/list2' },
      [],
      [],
      { files: [], next: '/list3' },
      files('/f3'),
      [],
    ];
    const paths: string[] = [];
    const lists: boolean[] = [];
    let token: PageToken | undefined = finished;
    for (const document of responses) {
      const request = buildTapRequest(tap, token);
      paths.push(request.path);
      lists.push(isFileList(tap, token as PageToken));
      token = nextPageToken(tap, token, request, aPage(document));
    }
    expect(paths).toEqual(['/queries/{queryId}/records', '/f1', '/f2', '/list2', '/list3', '/f3']);
    expect(lists).toEqual([true, false, false, true, true, false]);
    expect(token).toBeUndefined();
  });
});

describe('the fields of an object', () => {
  const connector = {
    fieldDiscovery: {
      endpointTemplate: '/describe/{objectName}',
      objectNameField: 'objectName',
      fieldArrayPath: 'fields',
      fieldNameKey: 'name',
      fieldTypeKey: 'type',
      excludeFieldTypes: ['address'],
      includeCondition: { key: 'hidden', value: false },
    },
  };

  it('come from the describe endpoint', () => {
    expect(buildDescribeRequest(connector, { objectName: 'Account' })).toEqual({
      method: 'GET',
      path: '/describe/{objectName}',
      variables: { objectName: { text: 'Account' } },
    });
    expect(buildDescribeRequest(connector, {})).toBeUndefined();
    expect(buildDescribeRequest({}, { objectName: 'Account' })).toBeUndefined();
    const fields = [
      { name: 'Id', type: 'id', hidden: false },
      { name: 'Old', type: 'id', hidden: true },
      { name: 'Place', type: 'address', hidden: false },
      { name: 'my_x__c', type: 'text', hidden: false },
    ];
    expect(readFieldNames(connector, { fields })).toEqual(['Id', 'my_x__c']);
  });

  it('can be the fields without a value of a key', () => {
    const { fieldDiscovery } = connector;
    const fields = [{ name: 'Old', gone: true }, { name: 'Id', gone: null }, { name: 'my_x__c' }];
    const withoutValue = { fieldDiscovery: { ...fieldDiscovery, includeCondition: { key: 'gone' } } };
    expect(readFieldNames(withoutValue, { fields })).toEqual(['Id', 'my_x__c']);
  });

  it.each([
    {},
    { fields: [] },
    { fields: [{ hidden: false }] },
    { fields: [{ name: 'Id FROM User --', hidden: false }] },
  ])('are an error in %j', (document) => expect(() => readFieldNames(connector, document)).toThrow(/field names/));
});
