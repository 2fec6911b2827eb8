import type { MetadataStorage } from '@mikro-orm/core';
import { GraphQLNonNull, type GraphQLSchema } from 'graphql';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { EntityRow } from '../../kernel/entities/entity-table.js';
import { SYSTEM_USER_ID } from '../../kernel/ids.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { fieldsOf, newEdgeField, objectTypeOf } from '../../kernel/reading/schema-fields.js';
import { ApiKey } from '../api-keys/api-key.js';
import { User } from '../user.js';
import { Actor } from './actor.js';

/** GraphQL fields that return an author, by the property that contains the author's id. */
const AUTHORS: Readonly<Record<string, { name: string; description: string }>> = {
  createdBy: { name: 'createdByUser', description: 'Author of the object.' },
  updatedBy: { name: 'updatedByUser', description: 'Author of the last change.' },
  movedBy: { name: 'movedByUser', description: 'User who changed the status.' },
  actorId: { name: 'actorUser', description: 'Author of the change.' },
};

export function addAuthors(schema: GraphQLSchema, metadata: MetadataStorage): void {
  const type = new GraphQLNonNull(objectTypeOf(schema, 'Actor'));
  for (const { className } of metadata.getAll().values()) {
    const fields = fieldsOf(schema, className) ?? {};
    for (const [property, { name, description }] of Object.entries(AUTHORS)) {
      if (!fields[property]) continue;
      const resolve = (row: EntityRow) => actorOf(row[property] as string, row.actorKind as string);
      fields[name] = newEdgeField({ name, type, description, resolve, access: 'workspace' });
    }
  }
}

function actorOf(id: string, kind = 'user'): Pick<Actor, 'id' | 'kind'> {
  return { id, kind: id === SYSTEM_USER_ID ? 'system' : (kind as Actor['kind']) };
}

@Resolver(() => Actor)
export class ActorResolver {
  @FieldResolver()
  async name(@Root() actor: Actor, @Ctx() { read }: RequestContext): Promise<string | undefined> {
    if (actor.kind === 'system') return 'System';
    return actor.kind === 'user' ? (await read.byId(User, actor.id))?.name : undefined;
  }

  @FieldResolver()
  user(@Root() { id, kind }: Actor, @Ctx() { read }: RequestContext): MaybePromise<Lean<User> | undefined> {
    return kind === 'user' ? read.byId(User, id) : undefined;
  }

  @FieldResolver()
  apiKey(@Root() { id, kind }: Actor, @Ctx() { read }: RequestContext): MaybePromise<Lean<ApiKey> | undefined> {
    return kind === 'api_key' ? read.byId(ApiKey, id) : undefined;
  }
}
