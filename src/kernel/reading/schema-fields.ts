import { type GraphQLField, GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import type { EntityRow } from '../entities/entity-table.js';
import type { EdgePlan } from './edge-plan.js';
import type { RequestContext } from './request-context.js';

export type EntityField = GraphQLField<EntityRow, RequestContext>;

/** Returns undefined if the schema has no such type. */
export function fieldsOf(schema: GraphQLSchema, name: string): Record<string, EntityField> | undefined {
  const type = schema.getType(name);
  return type instanceof GraphQLObjectType ? type.getFields() : undefined;
}

/** With a plan, GraphQL loads the rows of many objects together, instead of calling the resolver for each object. */
export function addPlan(field: EntityField, plan: EdgePlan): void {
  field.extensions = { ...field.extensions, plan };
}

export function objectTypeOf(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`${name} is not an object type of the schema`);
  return type;
}

interface EdgeField {
  readonly name: string;
  readonly type: GraphQLOutputType;
  readonly description?: string | null | undefined;
  readonly args?: EntityField['args'];
  readonly resolve?: EntityField['resolve'];
  readonly access?: unknown;
}

/** Creates a field that leads from an object to other rows. The JSON Schema of definitions omits `isEdge` fields. */
export function newEdgeField({ name, type, description, args = [], resolve, access }: EdgeField): EntityField {
  const extensions = { isEdge: true, ...(access !== undefined && { access }) };
  return {
    ...{ name, type, description, args, extensions, deprecationReason: undefined, astNode: undefined },
    ...(resolve && { resolve }),
  };
}
