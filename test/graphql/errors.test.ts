import { describe, expect, it } from '@jest/globals';
import { aService } from '../support/service.js';

const service = aService();
const json = { 'content-type': 'application/json' };

describe('POST /graphql', () => {
  it.each([
    ['a syntax error', '{ platformVendors('],
    ['an unknown field', '{ platformVendors { nothing } }'],
    ['an argument out of bounds', '{ platformVendors(limit: 251) { total } }'],
    ['20,000 tokens', `{ ${'platformVendors { total } '.repeat(5_000)} }`],
    ['21 levels', `{ platformVendors { items ${'{ groupings { vendor '.repeat(10)} { name } ${'} }'.repeat(10)} } }`],
    ['fragments in a circle', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('refuses %s with BAD_REQUEST', async (_, query) => {
    const { status, body } = await service.graphql(query);
    expect([200, 400]).toContain(status);
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect(body.errors[0].message).not.toBe('');
  });

  it.each([
    ['no body', undefined, 400],
    ['a body that is not JSON', '{', 400],
    ['a body of 2 MB', JSON.stringify({ query: `{${' '.repeat(2_000_000)}}` }), 413],
  ])('answers %s with the documented error', async (_, body, expected) => {
    const { status, text } = await service.request('/graphql', {
      method: 'POST',
      headers: json,
      ...(body && { body }),
    });
    expect(status).toBe(expected);
    expect(text).toMatch(/BAD_REQUEST|PAYLOAD_TOO_LARGE/);
  });

  it('refuses gzip that is none with 400', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const { status, body } = await service.request('/graphql', {
      method: 'POST',
      headers,
      body: '{"query":"{__typename}"}',
    });
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST: The body is not JSON.']);
  });

  it('refuses a question that reaches too many rows, and goes on', async () => {
    const levels = 7;
    const query = `{ platformVendors(limit: 250) { items ${'{ groupings { vendor '.repeat(levels)} { name } ${'} }'.repeat(levels)} } }`;
    const { body } = await service.graphql(query);
    expect(body.errors?.[0].extensions.code ?? 'answered').toMatch(/BAD_REQUEST|answered/);
    expect((await service.graphql('{ platformVendors { total } }')).status).toBe(200);
  });
});
