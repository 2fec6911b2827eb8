import { buildSchema, GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { prepareSubscription } from '../../../src/http/graphql/prepare-subscription.js';

const schema = buildSchema('type Query { a: Int } type Subscription { a: Int }');

it('rejects a subscription that exceeds a limit of the text before it is parsed', () => {
  const query = `subscription { a ${'{'.repeat(1_000)}`;
  expect(prepareSubscription(schema, { query })).toEqual({
    errors: [{ message: expect.stringContaining('nest'), extensions: { code: 'BAD_REQUEST' } }],
  });
});

it('throws the syntax error of a malformed subscription', () => {
  expect(() => prepareSubscription(schema, { query: 'subscription { a' })).toThrow(GraphQLError);
});
