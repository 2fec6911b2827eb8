import { Property, ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroORM } from '@mikro-orm/postgresql';
import { type GraphQLSchema, graphql } from 'graphql';
import { buildSchema, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TenantOwned, TenantTable } from '../../../src/kernel/entities/tenant-table.js';
import { AppError, type ErrorCode, toAppError } from '../../../src/kernel/errors.js';
import { Access, type AccessContext, enforceAccess, requireFieldAccess } from '../../../src/tenancy/access.js';
import { markOfResolving } from '../../support/isolation/permission-matrix.js';

@ObjectType()
@TenantTable()
class Note extends TenantOwned {
  @Field(() => String)
  @Property({ type: 'text' })
  text: string;
}

const metadata = new MikroORM({
  clientUrl: 'postgresql://nowhere/taproot',
  entities: [Note],
  metadataProvider: ReflectMetadataProvider,
}).getMetadata();

describe('a field with a fallback', () => {
  let calls = 0;

  @Resolver()
  class NoteResolver {
    @Access('taps:write', { otherwise: () => [] })
    @Query(() => [Note])
    notes(): object[] {
      calls += 1;
      return [{ text: 'a' }];
    }

    @Access('taps:write', { otherwise: () => null })
    @Query(() => Note, { nullable: true })
    note(): object {
      calls += 1;
      return { text: 'a' };
    }

    @Access('taps:write')
    @Query(() => [Note])
    closed(): object[] {
      return [];
    }
  }

  const refused = (code: ErrorCode): Partial<AccessContext> => ({ refusal: new AppError(code, 'Not here.') });
  const somebody = (...grants: string[]): Partial<AccessContext> => ({
    caller: { kind: 'user', grants: new Set(grants) } as never,
  });
  let schema: GraphQLSchema;

  beforeAll(async () => {
    schema = await buildSchema({ resolvers: [NoteResolver], validate: false });
    enforceAccess(schema, metadata);
  });

  beforeEach(() => {
    calls = 0;
  });

  const run = (context: object) =>
    graphql({ schema, source: '{ notes { text } note { text } }', contextValue: context });
  const fieldOf = (name: string) => schema.getQueryType()?.getFields()[name] as never;
  const KNOWN: [string, Partial<AccessContext>][] = [
    ['no workspace', refused('WORKSPACE_REQUIRED')],
    ['another workspace', refused('WORKSPACE_FORBIDDEN')],
    ['no second factor', refused('FORBIDDEN')],
    ['no permission', somebody('taps:delete')],
  ];
  const UNKNOWN: [string, Partial<AccessContext>, ErrorCode][] = [
    ['no bearer token', {}, 'UNAUTHENTICATED'],
    ['an invalid bearer token', refused('UNAUTHENTICATED'), 'UNAUTHENTICATED'],
    ['an unavailable database', refused('UNAVAILABLE'), 'UNAVAILABLE'],
    ['too many requests', refused('TOO_MANY_REQUESTS'), 'TOO_MANY_REQUESTS'],
  ];

  it.each(KNOWN)('returns the fallback, without running its resolver, to a caller with %s', async (_, context) => {
    expect(await run(context)).toEqual({ data: { notes: [], note: null } });
    expect(() => requireFieldAccess(context as AccessContext, fieldOf('notes'))).not.toThrow();
    expect(() => requireFieldAccess(context as AccessContext, fieldOf('closed'))).toThrow(AppError);
    expect(calls).toBe(0);
  });

  it.each(UNKNOWN)('throws for a caller with %s', async (_, context, code) => {
    const { data, errors } = await run(context);
    expect(data).toEqual({ notes: null, note: null });
    expect(errors?.map((error) => toAppError(error).code)).toEqual([code, code]);
    expect(() => requireFieldAccess(context as AccessContext, fieldOf('note'))).toThrow(
      expect.objectContaining({ code }),
    );
    expect(calls).toBe(0);
  });

  it('returns its value to a caller with access', async () => {
    const context = somebody('taps:write');
    expect((await run(context)).data).toEqual({ notes: [{ text: 'a' }], note: { text: 'a' } });
    expect(() => requireFieldAccess(context as AccessContext, fieldOf('notes'))).not.toThrow();
  });

  it('is marked in the table of permissions', async () => {
    const marks = async (name: string) =>
      Promise.all([somebody('taps:write'), somebody(), {}].map((context) => markOfResolving(fieldOf(name), context)));
    expect(await marks('notes')).toEqual(['x', 'o', '.']);
    expect(await marks('note')).toEqual(['x', 'o', '.']);
    expect(await marks('closed')).toEqual(['x', '.', '.']);
  });
});
