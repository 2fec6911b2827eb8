import fc from 'fast-check';
import {
  type ExecutionResult,
  execute,
  getNamedType,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { expect, it } from 'vitest';
import { isOfCatalog } from '../../src/catalog/of-catalog.js';
import { createOrm } from '../../src/database/orm.js';
import { createSchema } from '../../src/graphql-schema.js';
import { compileBreadthFirst } from '../../src/http/graphql/compile-breadth-first.js';
import { DocumentCache } from '../../src/http/graphql/document-cache.js';
import { executeOperation } from '../../src/http/graphql/execute-operation.js';
import { rejectThrownErrors } from '../../src/http/graphql/reject-thrown-errors.js';
import { type AccessContext, enforceAccess, isAllowed } from '../../src/tenancy/access.js';
import type { Caller } from '../../src/tenancy/caller.js';
import { type Choose, randomDocument } from '../support/graphql/random-documents.js';
import { faults, objectTypesOf, randomReader, replaceResolvers } from '../support/graphql/random-values.js';

const metadata = createOrm('postgresql://nowhere/taproot').getMetadata();
const schema = await createSchema(metadata);
replaceResolvers(schema);
enforceAccess(schema, metadata);
rejectThrownErrors(schema);
const documents = new DocumentCache(schema);

function contextOf(grants: readonly string[] | undefined): AccessContext {
  const ids = { id: 'u', userId: 'u', tenantId: 't' };
  const caller: Caller | undefined = grants && { kind: 'user', ...ids, grants: new Set(grants) };
  return { requestId: '', read: randomReader(schema), caller };
}

/**
 * Returns the data of a result and, for each error, the place that the error sets to null. With `faults.areOn`, returns
 * each place once, because an executor may omit further errors for the place.
 */
function shown({ data = null, errors = [] }: ExecutionResult) {
  const lines = errors.map(({ path = [], message }) => {
    let value: unknown = data;
    const place = path.slice(
      0,
      path.findIndex((key) => !(value = (value as Record<string, unknown> | null)?.[key])) + 1 || path.length,
    );
    return data === null ? 'data' : JSON.stringify([place, faults.areOn || message]);
  });
  return { data: JSON.parse(JSON.stringify(data)), errors: [...new Set(lines)].sort() };
}

/**
 * Compares the result of the service with the result of graphql-js. Returns whether the service executed the document
 * breadth first.
 */
async function compare(choose: Choose, hasVariables: boolean, grants: readonly string[] | undefined): Promise<boolean> {
  const { text, variables } = randomDocument(schema, choose, hasVariables);
  documents.read(text);
  const { document, errors } = documents.read(text);
  fc.pre(!errors.some(({ message }) => message.includes(' has more than ') || message.includes(' selects more than ')));
  if (!document) throw new Error(`${validate(schema, parse(text))[0]?.message}: ${text}`);
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const expected = await execute({
    schema,
    document,
    variableValues: variables,
    contextValue: contextOf(grants),
  });
  const context = contextOf(grants);
  const result = await executeOperation(schema, documents, { document, operation, variables, context });
  expect({ ...shown(result), text }).toEqual({ ...shown(expected), text });
  const query = compileBreadthFirst(schema, document, operation);
  const isBreadthFirst =
    query !== undefined && !result.errors && [...query.rules].every((rule) => isAllowed(context, rule));
  // graphql-jit, which runs the other queries, returns the fields in another order.
  if (isBreadthFirst) expect(JSON.stringify(result.data)).toBe(JSON.stringify(expected.data));
  return isBreadthFirst;
}

it.each([
  ['all permissions', ['*'], false, 20],
  ['some permissions', ['connectors:read', 'connections:read'], false, 1],
  ['no token', undefined, false, 0],
  ['failing fields', ['*'], true, 5],
])('random queries have the same responses as with graphql-js: %s', async (_, grants, areOn, least) => {
  faults.areOn = areOn;
  let breadthFirst = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.boolean(), async (next, hasVariables) => {
      const choose: Choose = (count) => next(fc.nat, { max: count - 1 });
      if (await compare(choose, hasVariables, grants)) breadthFirst += 1;
    }),
    { numRuns: 60, seed: 1, endOnFailure: true },
  );
  expect(breadthFirst).toBeGreaterThanOrEqual(least);
});

it('no field marked @OfCatalog returns rows of a workspace', () => {
  const entities = new Map([...metadata.getAll().values()].map((entity) => [entity.className, entity]));
  const marked = objectTypesOf(schema).flatMap((type) => Object.values(type.getFields()).filter(isOfCatalog));
  expect(marked.length).toBeGreaterThan(10);
  expect(marked.filter(({ type }) => entities.get(getNamedType(type).name)?.rowLevelSecurity)).toEqual([]);
});
