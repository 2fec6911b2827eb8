import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aService, type Reply } from '../../support/service/service.js';

const lines: string[] = [];
const service = aService({}, { write: (line) => lines.push(line) });
const owner = service.as('owner');

/** Contains no character that JSON escapes. */
const CANARY = 'sk-canary/é+17';
const NUMBER = 990_017_990_017;

/**
 * Texts that reveal the canary values: a part of the text, the number, the URL encoding, and base64 at each of the
 * three offsets.
 */
const TRACES = [
  ...['canary', String(NUMBER), encodeURIComponent(CANARY)],
  ...[0, 1, 2].map((skipped) =>
    Buffer.from(CANARY)
      .subarray(skipped, skipped + 9)
      .toString('base64'),
  ),
];

afterEach(() => {
  lines.length = 0;
});

function expectNoTrace({ headers, text }: Reply): void {
  const all = [text, ...[...headers].flat(), ...lines].join('\n').toLowerCase();
  expect(TRACES.filter((trace) => all.includes(trace.toLowerCase()))).toEqual([]);
}

const CREATE = 'mutation ($input: RoleInput!) { createRole(input: $input) { id } }';
const INVITE =
  'mutation ($email: String!, $roleIds: [Base62Id!]!) { inviteUser(email: $email, roleIds: $roleIds) { id } }';
const UPDATE = 'mutation ($id: Base62Id!, $input: UserInput!) { updateUser(id: $id, input: $input) { id } }';
const LIMIT = 'query ($limit: Int!) { users(limit: $limit) { total } }';
const ID = newId();
const FIELDS = 'name, description, permissions, parentRoleId';

describe('a value in a variable', () => {
  it.each<[string, string, object, string]>([
    ['that is not a number', LIMIT, { limit: CANARY }, '$limit is not a valid Int!.'],
    ['that is too large a number', LIMIT, { limit: NUMBER }, '$limit is not a valid Int!.'],
    ['that is an object', LIMIT, { limit: { [CANARY]: CANARY } }, '$limit is not a valid Int!.'],
    ['that is not a string', INVITE, { email: { a: CANARY }, roleIds: [] }, '$email is not a valid String!.'],
    [
      'that is not an id',
      INVITE,
      { email: 'a', roleIds: [ID, CANARY] },
      '$roleIds.1 is invalid: An id must be 22 characters',
    ],
    [
      'that is not an enum value',
      UPDATE,
      { id: ID, input: { status: CANARY } },
      '$input.status must be one of ACTIVE, SUSPENDED, DEACTIVATED (type UserStatusChange).',
    ],
    [
      'next to a missing field',
      CREATE,
      { input: { name: CANARY } },
      '$input lacks the required field permissions of type [String!]!.',
    ],
    [
      'in a list',
      CREATE,
      { input: { name: 'a', permissions: [CANARY, { a: CANARY }] } },
      '$input.permissions.1 is not a valid String!.',
    ],
    ['for an object', CREATE, { input: CANARY }, '$input is not a valid RoleInput!.'],
    ['for an object, in a list', CREATE, { input: [CANARY] }, '$input is not a valid RoleInput!.'],
    [
      'as the name of a field',
      CREATE,
      { input: { name: 'a', permissions: [], [CANARY]: CANARY } },
      `$input has an unknown field. The fields of RoleInput are ${FIELDS}.`,
    ],
    ['next to a null', CREATE, { input: { name: null, permissions: [CANARY] } }, '$input.name is not a valid String!.'],
    ['next to a missing variable', INVITE, { email: CANARY }, '$roleIds of type [Base62Id!]! is required.'],
  ])('%s is not repeated', async (_, query, variables, message) => {
    const reply = await owner.graphql(query, variables);
    expectNoTrace(reply);
    expect([reply.status, reply.body.errors[0].extensions]).toEqual([200, { code: 'BAD_REQUEST' }]);
    expect(reply.body.errors[0].message).toContain(message);
  });

  it('is accepted if it matches its type', async () => {
    const input = { name: 'taken', permissions: 'catalog:read' }; // GraphQL coerces a single item to a list.
    expect((await owner.graphql(CREATE, { input })).body.errors).toBeUndefined();
    expect(
      (await owner.graphql('query ($limit: Int! = 7) { users(limit: $limit) { limit } }')).body.data.users.limit,
    ).toBe(7);
  });
});

describe('a value in a document', () => {
  const created = (input: string): string => `mutation { createRole(input: ${input}) { id } }`;

  it.each<[string, string, string]>([
    [
      'that is not a number',
      `{ users(limit: "${CANARY}") { total } }`,
      'The value at line 1, column 16 is not a valid Int!.',
    ],
    ['that is a block string', `{ users(limit: """${CANARY}""") { total } }`, 'line 1, column 16 is not a valid Int!.'],
    ['that is too large a number', `{ users(limit: ${NUMBER}) { total } }`, 'line 1, column 16 is not a valid Int!.'],
    ['that is a fraction', `{ users(limit: ${NUMBER}.5) { total } }`, 'line 1, column 16 is not a valid Int!.'],
    ['that is a name', '{ users(limit: sk_canary) { total } }', 'line 1, column 16 is not a valid Int!.'],
    ['that is a list', `{ users(limit: ["${CANARY}"]) { total } }`, 'line 1, column 16 is not a valid Int!.'],
    ['that is not an id', `{ connectorRequest(id: "${CANARY}") { id } }`, 'An id must be 22 characters'],
    ['for an object', created(`"${CANARY}"`), 'The value at line 1, column 30 is not a valid RoleInput!.'],
    ['in an object', created(`{ name: ["${CANARY}"], permissions: [] }`), 'line 1, column 38 is not a valid String!.'],
    [
      'in an object that lacks a field',
      created(`{ name: "${CANARY}" }`),
      'line 1, column 30 is not a valid RoleInput!.',
    ],
    [
      'as the name of a field',
      created('{ name: "a", permissions: [], sk_canary: 1 }'),
      'The field at line 1, column 60 does not belong to RoleInput!.',
    ],
    [
      'that is not an enum value',
      `mutation { updateUser(id: "${ID}", input: { status: sk_canary }) { id } }`,
      'is not a valid UserStatusChange.',
    ],
    [
      'that is a string for an enum',
      `mutation { updateUser(id: "${ID}", input: { status: "${CANARY}" }) { id } }`,
      'is not a valid UserStatusChange.',
    ],
    [
      'by default',
      `query ($limit: Int! = "${CANARY}") { users(limit: $limit) { total } }`,
      'line 1, column 23 is not a valid Int!.',
    ],
    ['in a directive', `{ users { total @include(if: "${CANARY}") } }`, 'line 1, column 30 is not a valid Boolean!.'],
    [
      'in a directive of a fragment',
      `{ users { ...F @skip(if: "${CANARY}") } } fragment F on UserPage { total }`,
      'is not a valid Boolean!.',
    ],
    [
      'next to a variable without a value',
      `mutation ($a: String) { createRole(input: { name: "${CANARY}", permissions: ["${CANARY}", $a] }) { id } }`,
      '$a',
    ],
    ['where a document ends', `{ users(limit: "${CANARY}`, 'Syntax error: invalid character at line 1, column 31.'],
    ['with an invalid escape', `{ users(limit: "${CANARY}\\q") { total } }`, 'Syntax error: invalid character at line'],
    ['in the wrong place', `{ users("${CANARY}") { total } }`, 'Syntax error: unexpected String at line 1, column 9.'],
    [
      'as a name in the wrong place',
      '{ users(limit sk_canary) { total } }',
      'Syntax error: unexpected Name at line 1, column 15.',
    ],
    ['before an end', `{ users(search: "${CANARY}"`, 'Syntax error: unexpected end of document at line 1, column 33.'],
  ])('%s is not repeated', async (_, query, message) => {
    const reply = await owner.graphql(query);
    expectNoTrace(reply);
    expect(reply.body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect(reply.body.errors[0].message).toContain(message);
  });

  it('is not repeated next to a null of a variable', async () => {
    const list = `["${CANARY}", $a]`;
    const query = `mutation ($a: String = "") { createRole(input: { name: "${CANARY}", permissions: ${list} }) { id } }`;
    const reply = await owner.graphql(query, { a: null });
    expectNoTrace(reply);
    const { message, path, extensions } = reply.body.errors[0];
    expect([path, extensions]).toEqual([['createRole'], { code: 'BAD_REQUEST' }]);
    expect(message).toBe('The value at line 1, column 48 is not a valid RoleInput!.');
  });
});

describe('names from a document', () => {
  it.each([
    ['of a field', '{ nothing }', 'Cannot query field "nothing" on type "Query".'],
    ['of an argument', '{ users(first: 1) { total } }', 'Unknown argument "first" on field "Query.users".'],
    ['of a type', 'query ($a: Nothing) { me { id } }', 'Unknown type "Nothing".'],
    ['of a fragment', '{ ...nothing }', 'Unknown fragment "nothing".'],
    ['of a directive', '{ me @nothing { id } }', 'Unknown directive "@nothing".'],
    ['of a variable that is not declared', '{ users(limit: $a) { total } }', 'Variable "$a" is not defined.'],
    ['of a variable that is not used', 'query ($a: Int) { me { id } }', 'Variable "$a" is never used.'],
    [
      'of a variable of a different type',
      'query ($a: String) { users(limit: $a) { total } }',
      'used in position expecting type "Int!".',
    ],
    ['of an argument that is missing', '{ connector { id } }', 'argument "id" of type "String!" is required'],
  ])('%s are repeated, so that the client can find them', async (_, query, message) => {
    expect((await owner.graphql(query)).body.errors[0].message).toContain(message);
  });
});

describe('a value elsewhere', () => {
  const two = 'query A { me { id } } query B { me { id } }';
  const json = { 'content-type': 'application/json' };

  it.each<[string, string | object, string]>([
    [
      'in operationName',
      { query: two, operationName: CANARY },
      'The document contains no operation with the name in operationName',
    ],
    ['next to a missing operationName', { query: two, variables: { a: CANARY } }, 'several operations'],
    [
      'next to a document without operations',
      { query: 'fragment F on User { id }', variables: { a: CANARY } },
      'Fragment "F" is never used.',
    ],
    [
      'in extensions',
      { query: '{ a }', extensions: { persistedQuery: { version: 1, sha256Hash: CANARY } } },
      'The request does not follow the GraphQL over HTTP specification.',
    ],
    ['in the version of extensions', { query: '{ a }', extensions: { persistedQuery: { version: CANARY } } }, ''],
    [
      'as a persisted query hash',
      { extensions: { persistedQuery: { version: 1, sha256Hash: CANARY } } },
      'PersistedQueryNotFound',
    ],
    ['as extensions', { query: '{ a }', extensions: CANARY }, '`extensions` in a POST body'],
    ['as variables', { query: '{ a }', variables: CANARY }, '`variables` in a POST body'],
    ['as a list of variables', { query: '{ a }', variables: [CANARY] }, '`variables` in a POST body'],
    ['as a query that is not a string', { query: { kind: CANARY } }, 'GraphQL queries must be strings.'],
    [
      'as an operationName that is not a string',
      { query: '{ a }', operationName: [CANARY] },
      '`operationName` in a POST body',
    ],
    ['in a batch', [{ query: CANARY }], ''],
    ['in a body that is not JSON', `{"query": "${CANARY}"`, 'The body is not valid JSON in UTF-8.'],
    ['as a body', JSON.stringify(CANARY), 'The body must be a JSON object.'],
  ])('%s is not repeated', async (_, body, message) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { ...json, accept: 'application/json' };
    const reply = await owner.request('/graphql', { method: 'POST', headers, body: text });
    expectNoTrace(reply);
    expect(reply.body.errors?.[0].message ?? reply.body.error).toContain(message);
  });

  it.each([
    ['a query', { query: `{ users(limit: "${CANARY}") { total } }` }],
    ['variables', { query: LIMIT, variables: JSON.stringify({ limit: CANARY }) }],
    ['variables that are not JSON', { query: LIMIT, variables: CANARY }],
    ['an operationName', { query: two, operationName: CANARY }],
  ])('in %s in the URL is not repeated', async (_, parameters) => {
    const address = `/graphql?${new URLSearchParams(parameters as Record<string, string>)}`;
    const reply = await owner.request(address, { headers: json });
    expectNoTrace(reply);
    expect(reply.body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
  });

  it('out of bounds is not repeated', async () => {
    const long = CANARY.repeat(100);
    const reply = await owner.graphql(CREATE, { input: { name: long, permissions: [CANARY] } });
    expectNoTrace(reply);
    expect(reply.body.errors[0].message).toMatch(/^\w+ must /);
  });

  it('is found in a log that contains it', async () => {
    await owner.graphql('{ me { id } }');
    expect(lines.join('')).toContain('"path":"/graphql"');
  });
});
