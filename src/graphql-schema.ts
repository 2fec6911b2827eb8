import type { MetadataStorage } from '@mikro-orm/core';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { domains } from './domains.js';
import { compileOperation } from './http/graphql/compile-operation.js';
import { rejectThrownErrors } from './http/graphql/reject-thrown-errors.js';
import type { ReportError } from './http/report-error.js';
import type { DomainManifest } from './kernel/entities/domain-manifest.js';
import { checkLimits } from './kernel/entities/field-limits.js';
import { toAppError, toErrorExtensions } from './kernel/errors.js';
import { addListFields } from './kernel/reading/list-fields.js';
import type { RequestContext } from './kernel/reading/request-context.js';
import { resolveRelations } from './kernel/reading/resolve-relations.js';
import { enforceAccess } from './tenancy/access.js';
import { Actor } from './tenancy/members/actor.js';
import { addAuthors } from './tenancy/members/actor.resolver.js';

/** type-graphql requires a PubSub, but subscriptions read the change feed instead. */
const UNUSED_PUB_SUB = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('every subscription must define its own subscribe function');
  },
};

export async function createSchema(metadata: MetadataStorage): Promise<GraphQLSchema> {
  const domainSchema = await buildSchema({
    resolvers: domains.flatMap(({ resolvers }) => resolvers) as unknown as NonEmptyArray<new () => object>,
    // The fields that `addListFields` adds later refer to these types.
    orphanedTypes: [Actor, ...domains.flatMap(({ entities }: DomainManifest) => entities)],
    validateFn: checkLimits,
    pubSub: UNUSED_PUB_SUB,
    // This check would run an introspection query. It is unnecessary, because Apollo Server validates the schema.
    skipCheck: true,
  });
  for (const { className } of metadata.getAll().values()) markRows(domainSchema.getType(className));
  addAuthors(domainSchema, metadata);
  const rows = domains.flatMap(({ rows = [] }: DomainManifest) => rows);
  resolveRelations(domainSchema, metadata, rows);
  const lists = domains.flatMap(({ lists = [] }: DomainManifest) => lists);
  const schema = addListFields(domainSchema, metadata, lists);
  enforceAccess(schema, metadata);
  rejectThrownErrors(schema);
  return schema;
}

/** Marks a type whose objects are rows. The cost of an operation is its number of such objects. */
function markRows(type: GraphQLNamedType | undefined): void {
  if (type) type.extensions = { ...type.extensions, isRow: true };
}

export type PreparedOperation = (
  context: RequestContext,
  variables: Record<string, unknown>,
) => Promise<ExecutionResult>;

/** Compiles an operation for repeated execution. Each error of the operation has an error code. */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  report: ReportError,
): PreparedOperation {
  const run = compileOperation(schema, document);
  return async (context, variables) => {
    const { data = null, errors } = await run(context, variables);
    if (!errors) return { data };
    const coded = errors.map((error) => {
      report(error, context.requestId);
      const failure = toAppError(error);
      return new GraphQLError(failure.message, { path: error.path, extensions: toErrorExtensions(failure) });
    });
    return { data, errors: coded };
  };
}
