import { type MetadataStorage, ReferenceKind } from '@mikro-orm/core';
import { type GraphQLSchema, isObjectType } from 'graphql';
import type { RequestContext } from './request-context.js';

/**
 * Adds a batched resolver to every relation that is a GraphQL field. Relations are declared only on the entity; a field
 * resolver is needed only if the field returns something other than the related rows.
 */
export function resolveRelations(schema: GraphQLSchema, metadata: MetadataStorage): void {
  for (const entity of metadata.getAll().values()) {
    const type = schema.getType(entity.className);
    if (!isObjectType(type)) continue;
    const fields = type.getFields();
    for (const { name, kind, mappedBy, targetMeta } of entity.relations) {
      const field = fields[name];
      if (!field || field.resolve || !targetMeta) continue;
      const target = targetMeta.class as never;
      field.resolve =
        kind === ReferenceKind.ONE_TO_MANY
          ? (row: { id: string }, _args, { read }: RequestContext) => read.many(target, mappedBy as never, row.id)
          : (row: Record<string, string | null>, _args, { read }: RequestContext) => {
              const id = row[name];
              return id ? read.byId(target, id) : null;
            };
    }
  }
}
