import { type EntityMetadata, type MetadataStorage, ReferenceKind } from '@mikro-orm/core';
import { GraphQLNonNull, type GraphQLSchema } from 'graphql';
import type { RowEdge } from '../entities/list-edge.js';
import { whenKnown } from './pending.js';
import type { MaybePromise, Reader } from './reader.js';
import { addPlan, fieldsOf, newEdgeField, objectTypeOf } from './schema-fields.js';

/**
 * Adds the declared edges that lead to a single row. Also adds a batched resolver to each GraphQL field whose relation
 * leads to a single row, unless the field already has a resolver. A domain therefore needs a field resolver only if a
 * field returns something other than the related rows.
 */
export function resolveRelations(schema: GraphQLSchema, metadata: MetadataStorage, edges: readonly RowEdge[]): void {
  for (const edge of edges) addRowEdge(schema, edge);
  for (const entity of metadata.getAll().values()) resolveRows(schema, entity);
}

function addRowEdge(schema: GraphQLSchema, edge: RowEdge): void {
  const field = newEdgeField({
    ...edge,
    type: objectTypeOf(schema, edge.to.name),
    resolve: (row, _args, { read }) => readRow(read, edge.to as never, row[edge.by] as string | null, true),
  });
  addPlan(field, { kind: 'row', by: edge.by, to: edge.to, isNullable: true });
  objectTypeOf(schema, edge.on.name).getFields()[edge.name] = field;
}

function resolveRows(schema: GraphQLSchema, { className, relations }: EntityMetadata): void {
  const fields = fieldsOf(schema, className);
  for (const { name, kind, targetMeta } of relations) {
    const field = fields?.[name];
    if (!field || field.resolve || !targetMeta || kind === ReferenceKind.ONE_TO_MANY) continue;
    const target = targetMeta.class as never;
    const isNullable = !(field.type instanceof GraphQLNonNull);
    field.resolve = (row, _args, { read }) => readRow(read, target, row[name] as string | null, isNullable);
    addPlan(field, { kind: 'row', by: name, to: target, isNullable });
  }
}

/** A nullable field is null for a soft-deleted row. Other fields return the deleted row. */
function readRow(read: Reader, target: never, id: string | null, isNullable: boolean): unknown {
  const row = id ? read.byId<{ deletedAt?: Date }>(target, id) : null;
  if (!isNullable) return row;
  const shown = (found: { deletedAt?: string } | null | undefined) => (found?.deletedAt ? null : found);
  return whenKnown(row as MaybePromise<never>, shown);
}
