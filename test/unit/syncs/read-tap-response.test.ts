import { describe, expect, it } from 'vitest';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import { buildReading, buildReply } from '../../support/tap-response.js';

type Reading = Parameters<typeof buildReading>[0];

const listed = (responsePath: string, more: object = {}): Reading => ({
  tap: { responseExtraction: { primaryKey: 'id', responsePath, ...more } },
});

function read(reading: Reading, body: unknown, facts = {}) {
  return readTapResponse(buildReading(reading), buildReply({ body }), facts).records;
}

function errorOf(act: () => unknown): TapReadError {
  try {
    act();
  } catch (error) {
    return error as TapReadError;
  }
  throw new Error('nothing was thrown');
}

describe('extraction of records', () => {
  it('reads the whole body without a path', () => {
    expect(read({}, [{ id: 1 }, { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('reads the list at the path, with and without a projection', () => {
    expect(read(listed('data.items'), { data: { items: [{ id: 1 }] } })).toEqual([{ id: 1 }]);
    expect(read(listed('data[*].{id: [0], n: [1]}'), { data: [['a', 1]] })).toEqual([{ id: 'a', n: 1 }]);
  });

  it('keeps all digits of numbers through a projection', () => {
    const records = read(listed('data[*].{id: [0]}'), '{"data":[[9007199254740993]]}');
    expect(JSON.stringify(records)).toBe('[{"id":9007199254740993}]');
  });

  it('reads a single object as one record', () => {
    expect(read({}, { id: 1 })).toEqual([{ id: 1 }]);
    expect(read(listed('user'), { user: { id: 1 } })).toEqual([{ id: 1 }]);
  });

  it('rejects a single object without the primary key', () => {
    expect(errorOf(() => read({}, { message: 'secret' }))).toMatchObject({
      errorClass: 'contract',
      action: 'fail_tap',
      message: 'responsePath: the value at the body is not a list of objects, but one object without the primary key.',
    });
  });

  it('accepts a single object with a field of the synthetic key', () => {
    const extraction = { primaryKey: 'k', syntheticPrimaryKey: { outputField: 'k', fields: ['user', 'id'] } };
    const reading = { tap: { responseExtraction: extraction }, parentFields: { user: 'u' } };
    expect(read(reading, { id: 1 })).toEqual([{ id: 1 }]);
    expect(errorOf(() => read(reading, { user: 'x' })).errorClass).toBe('contract');
  });

  it('uses the fallback only if the path has no value', () => {
    const reading = listed('dashcards', { responsePathFallback: 'ordered_cards' });
    expect(read(reading, { dashcards: [{ id: 1 }], ordered_cards: [{ id: 2 }] })).toEqual([{ id: 1 }]);
    expect(read(reading, { ordered_cards: [{ id: 2 }] })).toEqual([{ id: 2 }]);
  });

  it('uses nextDataPath for pages after the first', () => {
    const reading = {
      ...listed('data.items'),
      option: { pagination: { type: 'cursor' as const, cursor: { nextDataPath: 'next.items' } } },
    };
    const body = { data: { items: [{ id: 1 }] }, next: { items: [{ id: 2 }] } };
    expect(read(reading, body)).toEqual([{ id: 1 }]);
    expect(read(reading, body, { token: { cursor: 'c' } })).toEqual([{ id: 2 }]);
  });

  it.each([
    ['null', { items: null }],
    ['an empty list', { items: [] }],
    ['a missing list among other facts', { kind: 'list', etag: 'x', resultSizeEstimate: 0 }],
    ['an empty object', {}],
    ['a missing list next to an empty list of errors', { errors: [], labels: ['a'] }],
  ])('reads %s as an empty page', (_, body) => {
    expect(read(listed('items'), body)).toEqual([]);
  });

  it.each([
    ['a list', []],
    ['an error', { error: 'secret' }],
    ['a message', { message: 'secret' }],
    ['another list of objects', { results: [{ id: 1 }] }],
    ['a text', '"secret"'],
    ['null', 'null'],
  ])('rejects %s where the list is missing', (_, body) => {
    expect(errorOf(() => read(listed('items'), body))).toMatchObject({
      errorClass: 'contract',
      action: 'fail_tap',
      message: 'responsePath: the response has no value at items, and is not an empty page.',
    });
  });

  it('requires the object that contains the list', () => {
    expect(read(listed('users.user'), { users: {} })).toEqual([]);
    expect(errorOf(() => read(listed('users.user'), { groups: {} })).errorClass).toBe('contract');
    expect(errorOf(() => read(listed('data.users.nodes'), { data: { users: null } })).errorClass).toBe('contract');
  });

  it('rejects a document in which a projection finds no list', () => {
    const projection = listed('data[*].{id: [0]}');
    expect(read(projection, { data: null })).toEqual([]);
    expect(errorOf(() => read(projection, { data: { rows: 1 } })).errorClass).toBe('contract');
  });

  it.each([
    [{ items: 'secret' }, 'the value at items is a string instead of a list of objects.'],
    [{ items: 5 }, 'the value at items is a number instead of a list of objects.'],
    ['{"items":9007199254740993}', 'the value at items is a number instead of a list of objects.'],
    [{ items: [{ id: 1 }, 'secret'] }, 'element 2 of the list at items is a string instead of an object.'],
    [{ items: [{ id: 1 }, null] }, 'element 2 of the list at items is null instead of an object.'],
    [{ items: [[1]] }, 'element 1 of the list at items is a list instead of an object.'],
  ])('names the path and the type of a value that is not a list of objects', (body, problem) => {
    expect(errorOf(() => read(listed('items'), body)).message).toBe(`responsePath: ${problem}`);
  });
});

describe('a successful response', () => {
  it('has no records with status 204', () => {
    const page = readTapResponse(buildReading(), buildReply({ status: 204 }));
    expect(page).toMatchObject({ document: null, records: [] });
  });

  it('is a contract error if it is not JSON, without quoting it', () => {
    expect(errorOf(() => read({}, '{"token":"secret'))).toMatchObject({
      errorClass: 'contract',
      message: 'The response is not valid JSON.',
    });
    expect(errorOf(() => read({}, '')).errorClass).toBe('contract');
  });

  it('is a configuration error if it is an HTML page', () => {
    const error = errorOf(() => read({}, '<!DOCTYPE html><title>Sign in</title>'));
    expect(error).toMatchObject({ errorClass: 'configuration', action: 'fail_tap' });
  });
});

const slack = {
  tap: {
    responseExtraction: {
      primaryKey: 'id',
      responsePath: 'members',
      responseValidation: {
        okField: 'ok',
        errorField: 'error',
        skippableErrors: ['not_in_channel'],
        transientErrors: ['fatal_error', 'rate_limit_reached'],
      },
    },
  },
};

const slackFailures = [
  { status: 200, when: "error == 'token_expired'", errorCode: 'expired' as const },
  { status: 200, when: '!ok', errorCode: 'internal_error' as const },
];

describe('a failure in a response with status 200', () => {
  it.each([
    ['not_in_channel', 'permission', 'skip_slice'],
    ['fatal_error', 'vendor_unavailable', 'retry'],
    ['rate_limit_reached', 'rate_limited', 'wait'],
    ['token_expired', 'credential', 'stop_run'],
    ['another_secret', 'contract', 'fail_tap'],
  ])('classifies %s', (error, errorClass, action) => {
    const failure = errorOf(() => read(slack, { ok: false, error }, { failures: slackFailures }));
    expect(failure).toMatchObject({ errorClass, action, status: 200 });
    expect(failure.message).not.toContain('secret');
  });

  it('is a response whose okField is not true', () => {
    expect(read(slack, { ok: true, error: 'ignored', members: [] })).toEqual([]);
    expect(errorOf(() => read(slack, { members: [] })).errorClass).toBe('contract');
  });

  it('is a response with a value at errorField if there is no okField', () => {
    const reading = listed('items', { responseValidation: { errorField: 'error' } });
    expect(read(reading, { items: [], error: null })).toEqual([]);
    expect(errorOf(() => read(reading, { items: [], error: 'x' })).errorClass).toBe('contract');
  });

  it('ignores rules for the response of the credential test', () => {
    const failures = [{ status: 200, when: '!(user.id)', errorCode: 'auth_failed' as const }];
    expect(read(listed('tickets'), { tickets: [{ id: 1 }] }, { failures })).toEqual([{ id: 1 }]);
  });

  const graphql = { ...listed('data.items.nodes'), option: { apiType: 'graphql' as const } };
  const data = { items: { nodes: [{ id: 1 }] } };

  it.each([
    ['THROTTLED', 'rate_limited', 'wait'],
    ['INTERNAL_SERVER_ERROR', 'vendor_unavailable', 'retry'],
    ['UNAUTHENTICATED', 'credential', 'stop_run'],
    ['FORBIDDEN', 'permission', 'skip_tap'],
    ['constructor', 'contract', 'fail_tap'],
  ])('classifies the GraphQL error %s with and without data', (code, errorClass, action) => {
    const errors = [{ message: 'secret', extensions: { code } }];
    for (const body of [{ errors }, { errors, data: null }, { errors, data }])
      expect(errorOf(() => read(graphql, body))).toMatchObject({ errorClass, action });
  });

  it('accepts an empty list of GraphQL errors', () => {
    expect(read(graphql, { errors: [], data })).toEqual([{ id: 1 }]);
  });

  it('follows errorBodyRules for status 200', () => {
    const rules = [{ statusCode: 200, jmesPath: 'errors[0].code', retryValues: ['BUSY'] }];
    const reading = { ...listed('items'), option: { errorBodyRules: rules } };
    expect(errorOf(() => read(reading, { errors: [{ code: 'BUSY' }], items: [] }))).toMatchObject({
      action: 'retry',
      message: 'The source reports the temporary error BUSY.',
    });
    expect(read(reading, { items: [] })).toEqual([]);
  });
});
