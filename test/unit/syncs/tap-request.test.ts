import { describe, expect, it } from 'vitest';
import type { BodyEncoding } from '../../../src/catalog/model/transport-option.js';
import { ConnectionConfigError } from '../../../src/sources/connection-config-error.js';
import { buildSourceUrl } from '../../../src/sources/source-address.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import type { TapReading } from '../../../src/syncs/tap-reading.js';
import { aConnection } from '../../support/sources/source-connection.js';
import { aReading, type ReadingFields } from '../../support/syncs/tap-reading.js';

const window = { since: new Date('2026-01-31T10:00:00.500Z'), until: new Date('2026-02-01T10:00:00Z') };

function urlOf(reading: TapReading, config = {}): string {
  const { tap } = reading;
  const connection = aConnection({
    taps: [tap as never],
    connector: { defaultBaseUrl: 'https://api.test/v1' },
    config,
  });
  const { path, query, variables } = buildTapRequest(reading);
  return buildSourceUrl(connection, undefined, path, query, variables).href;
}

describe('the path of a tap', () => {
  const rest = { endpoint: '/repos/{repo}/{host}/issues', pathParamEncodings: { repo: 'none' } };
  const urlFor = (variables: Record<string, string>, endpoint = rest.endpoint) =>
    urlOf(aReading({ rest: { ...rest, endpoint }, variables }), { host: 'h' });

  it('contains parent values and config fields', () => {
    expect(urlFor({ repo: 'o/r' })).toBe('https://api.test/v1/repos/o/r/h/issues');
    expect(urlFor({ repo: 'a/b?c#d e', host: 'x/y' })).toBe('https://api.test/v1/repos/a/b%3Fc%23d%20e/x%2Fy/issues');
    expect(() => urlFor({}, '/a/{none}')).toThrow(ConnectionConfigError);
  });

  it.each(['', '..', '.', 'a/..', '../../x', '/a', 'a//b', 'a\nb', '\u0000', '\ud800'])(
    'rejects the parent value %j and skips the parent',
    (repo) => {
      const thrown = (() => {
        try {
          return urlFor({ repo });
        } catch (error) {
          return error;
        }
      })();
      expect(thrown).toBeInstanceOf(TapReadError);
      expect(thrown).toMatchObject({ errorClass: 'contract', action: 'skip_slice' });
    },
  );

  it('keeps a parent value out of the host', () => {
    const endpoint = 'https://{host}.acme.test/{host}';
    const reading = aReading({ rest: { endpoint }, variables: { host: 'evil' } });
    expect(urlOf(reading, { host: 'own' })).toBe('https://own.acme.test/evil');
  });
});

describe('templates of a request', () => {
  const filled = (fields: ReadingFields, queryParams: object) =>
    buildTapRequest(aReading({ rest: { endpoint: '/items', queryParams: { ...queryParams } }, ...fields })).query;

  it('keep the JSON type of a value that is one variable', () => {
    const rest = {
      endpoint: '/items',
      method: 'POST',
      requestBody: { a: '{list}', b: ['{flag}', '{none}'], c: { d: '{none}' }, e: 'x {list2}', f: 1 },
    };
    const config = { list: [1, 2], flag: true, list2: 'y' };
    expect(buildTapRequest(aReading({ rest, config })).json).toEqual({
      a: [1, 2],
      b: [true],
      c: {},
      e: 'x y',
      f: 1,
    });
  });

  it('are omitted if a config field has no value', () => {
    const config = { empty: '', none: null };
    expect(filled({ config }, { a: '{empty}', b: '{none}', c: 'x {missing}', d: '{{literal}}', e: 0 })).toEqual({
      d: '{{literal}}',
      e: 0,
    });
  });

  it('fail if the parent record has no value, because the request could return the records of all parents', () =>
    expect(() => filled({ variables: { id: '' } }, { parent: '{id}' })).toThrow(/no usable value for {id}/));

  it('send each item of a list', () =>
    expect(urlOf(aReading({ rest: { endpoint: '/items', queryParams: { id: ['a', 'b'] } } }))).toMatch(/\?id=a&id=b$/));

  it('contain all fields in place of the wildcard token', () => {
    const wildcard = { token: '$ALL_FIELDS', fieldNames: ['Id', '$&'] };
    expect(filled({ wildcard }, { q: 'SELECT $ALL_FIELDS FROM A' })).toEqual({ q: 'SELECT Id,$& FROM A' });
  });

  it.each([
    ["name = '{x}'", "it's"],
    ["name = '{x}'", 'a\\'],
    ['name = "{x}"', 'a" OR 1=1 --'],
    ['a "b" \'{x}\'', "' OR ''='"],
    ['name = "{x}"', 'a\nb'],
    ['id = {x}', '1 OR 1=1'],
    ['id = {x}', '1--'],
    ['id = {x}', '(select)'],
    ['id = {x}', "'a'"],
  ])('%s rejects the value %j', (template, value) => {
    for (const fields of [{ config: { x: value } }, { variables: { x: value } }])
      expect(() => filled(fields, { q: template })).toThrow(/could change the meaning/);
  });

  it.each([
    ["name = '{x}'", 'Ünal & Co (1)', "name = 'Ünal & Co (1)'"],
    ['id = {x}', 'a-1.b_c@d:e/f', 'id = a-1.b_c@d:e/f'],
    ['{x}', "it's --", "it's --"],
  ])('%s accepts the value %j', (template, value, text) =>
    expect(filled({ config: { x: value } }, { q: template })).toEqual({ q: text }),
  );

  it('reject an object, also in quotes', () =>
    expect(() => filled({ config: { x: { a: 1 } } }, { q: "name = '{x}'" })).toThrow(/is an object/));

  it('never fill in the text of a GraphQL query', () => {
    const graphql = { endpoint: '/graphql', query: 'query { a {x} }', operationName: 'A', variables: { id: '{x}' } };
    expect(buildTapRequest(aReading({ graphql, config: { x: '") { b }' } })).json).toEqual({
      query: 'query { a {x} }',
      operationName: 'A',
      variables: { id: '") { b }' },
    });
  });
});

describe('the body of a request', () => {
  const sent = (bodyEncoding: BodyEncoding, requestBody: Record<string, unknown>, config = {}) => {
    const { headers, text, json } = buildTapRequest(
      aReading({ rest: { endpoint: '/items', method: 'POST', bodyEncoding, requestBody }, config }),
    );
    return { headers, body: text ?? json };
  };

  it('is JSON, a form, XML or text', () => {
    expect(sent('json', { a: 1 })).toEqual({ headers: {}, body: { a: 1 } });
    expect(sent('form', { a: 'b c', d: [1, 2], e: { f: '{x}' }, g: null }, { x: '&' })).toEqual({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=b+c&d=1&d=2&e%5Bf%5D=%26',
    });
    expect(sent('xml', { text: '<a>{x}</a>' }, { x: '</a>' })).toEqual({
      headers: { 'content-type': 'application/xml' },
      body: '<a>&lt;/a&gt;</a>',
    });
    expect(sent('text', { text: "SELECT '{x}'" }, { x: 'a' }).body).toBe("SELECT 'a'");
  });

  it('is not sent with GET', () =>
    expect(buildTapRequest(aReading({ rest: { endpoint: '/items', requestBody: { a: 1 } } })).json).toBeUndefined());
});

describe('the header of the user whose quota is charged', () => {
  const headersOf = (perParentAuth: object, fields: ReadingFields = {}) =>
    buildTapRequest(aReading({ tap: { perParentAuth }, ...fields })).headers;

  it('contains the impersonated user', () => {
    const perParentAuth = { impersonateField: 'email', quotaUserHeader: 'X-Goog-Quota-User' };
    const sent = { 'X-Goog-Quota-User': 'a@b.test' };
    expect(headersOf(perParentAuth, { variables: { email: 'a@b.test' } })).toEqual(sent);
    expect(headersOf(perParentAuth, { parentFields: { email: 'a@b.test' } })).toEqual(sent);
    expect(headersOf(perParentAuth)).toEqual({});
    expect(headersOf({ impersonateField: 'email' }, { variables: { email: 'a@b.test' } })).toEqual({});
  });
});

describe('the window of a request', () => {
  const rest = { endpoint: '/items', queryParams: { q: 'all', from: '0' } };
  const sent = (incrementalParams: object, fields: ReadingFields = { window }) =>
    buildTapRequest(aReading({ rest, incrementalParams, ...fields }));

  it('has parameters for its start and end', () => {
    const params = { sinceParam: 'from', untilParam: 'to', sinceFormat: 'epoch_seconds', untilFormat: 'date' };
    expect(sent(params).query).toEqual({ q: 'all', from: 1769853600, to: '2026-02-02' });
    expect(sent({ sinceParam: 'from' }).query).toMatchObject({ from: '2026-01-31T10:00:00Z' });
  });

  it('replaces the query of a full read by the template', () => {
    const params = { queryParam: 'q', queryTemplate: 'updated >= "{since}" AND owner = "{owner}"' };
    const config = { owner: 'me' };
    expect(sent(params, { window, config }).query).toMatchObject({
      q: 'updated >= "2026-01-31T10:00:00Z" AND owner = "me"',
    });
    expect(sent({ queryParam: 'q' }).query).toMatchObject({ q: '2026-01-31T10:00:00Z' });
  });

  it('has no start in the first read', () => {
    const first = { window: { until: window.until } };
    const params = { sinceParam: 'from', untilParam: 'to', queryParam: 'q', queryTemplate: 'updated >= {since}' };
    expect(sent(params, first).query).toEqual({ q: 'all', from: '0', to: '2026-02-01T10:00:00Z' });
  });

  it('is omitted in a full read', () => expect(sent({ sinceParam: 'from' }, {}).query).toEqual(rest.queryParams));

  it('starts earlier if the source excludes the start', () => {
    const params = { sinceParam: 'from', sinceFormat: 'epoch_seconds', sinceIsExclusive: true };
    expect(sent(params).query).toMatchObject({ from: 1769853599 });
  });

  it('can be in the body, in the type of the definition', () => {
    const requestBody = { filters: [{ value: '0' }], bindings: { '1': { value: 0 } }, to: 'now' };
    const inBody = (params: object, option = {}) =>
      sent(params, { window, rest: { endpoint: '/search', method: 'POST', requestBody, ...option } });
    const millis = { bodyFilterFormat: 'epoch_millis', bodyFilterEndPath: 'to' };
    expect(inBody({ ...millis, bodyFilterPath: 'filters[0].value' }).json).toMatchObject({
      filters: [{ value: '1769853600500' }],
      to: '1769940000000',
    });
    expect(inBody({ ...millis, bodyFilterPath: 'bindings."1".value' }).json).toMatchObject({
      bindings: { '1': { value: 1769853600500 } },
    });
    expect(requestBody).toEqual({ filters: [{ value: '0' }], bindings: { '1': { value: 0 } }, to: 'now' });
    expect(inBody({ bodyFilterPath: 'a.b' }, { method: 'GET' }).json).toBeUndefined();
  });

  it('fills in a template of the body, which can be JSON', () => {
    const template = '{"on":"time","time":{"after":"{since}","by":"{x}"}}';
    const inBody = (bodyFilterTemplate: string, fields: ReadingFields) =>
      sent(
        { bodyFilterPath: 'filter', bodyFilterTemplate },
        { rest: { endpoint: '/search', method: 'POST', requestBody: { n: 1 } }, ...fields },
      ).json;
    expect(inBody(template, { window, config: { x: '"}' } })).toEqual({
      n: 1,
      filter: { on: 'time', time: { after: '2026-01-31T10:00:00Z', by: '"}' } },
    });
    expect(inBody("a >= '{since}'", { window })).toEqual({ n: 1, filter: "a >= '2026-01-31T10:00:00Z'" });
    expect(inBody(template, { window: { until: window.until }, config: { x: 'y' } })).toEqual({ n: 1 });
  });

  it('sets a variable of GraphQL', () => {
    const graphql = { endpoint: '/graphql', query: 'query A', variables: { filter: {} } };
    expect(sent({ bodyFilterPath: 'variables.filter.at.gte' }, { window, graphql }).json).toEqual({
      query: 'query A',
      variables: { filter: { at: { gte: '2026-01-31T10:00:00Z' } } },
    });
    expect(sent({ sinceParam: 'since' }, { window, graphql }).json).toMatchObject({
      variables: { since: '2026-01-31T10:00:00Z' },
    });
  });

  it('is an error in an unsupported format', () =>
    expect(() => sent({ sinceParam: 'from', sinceFormat: 'QQ' })).toThrow(TapReadError));
});
