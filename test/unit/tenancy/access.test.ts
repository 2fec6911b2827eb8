import type { MetadataStorage } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property, ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroORM } from '@mikro-orm/postgresql';
import {
  buildSchema as buildFromText,
  type ExecutionResult,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  graphql,
} from 'graphql';
import { buildSchema, Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { describe, expect, it } from 'vitest';
import { TenantOwned, TenantTable } from '../../../src/kernel/entities/tenant-table.js';
import { AppError } from '../../../src/kernel/errors.js';
import { IdColumn } from '../../../src/kernel/ids.js';
import { Access, type AccessContext, type AccessRule, enforceAccess } from '../../../src/tenancy/access.js';

@ObjectType()
@TenantTable()
class Letter extends TenantOwned {
  @Field(() => String)
  @Property({ type: 'text' })
  text: string;
}

@ObjectType()
@Entity()
class Shelf {
  @PrimaryKey({ type: IdColumn })
  id: string;

  @Access('connectors:read')
  @Field(() => [Letter])
  letters: Letter[];

  @Field(() => String)
  @Property({ type: 'text' })
  label: string;
}

const metadata: MetadataStorage = new MikroORM({
  clientUrl: 'postgresql://nowhere/taproot',
  entities: [Letter, Shelf],
  metadataProvider: ReflectMetadataProvider,
}).getMetadata();

const RULED = { extensions: { access: 'public' } };
const text = { type: GraphQLString };
const letter = new GraphQLObjectType({ name: 'Letter', fields: { text } });

function aSchema(query: object, types: GraphQLObjectType[] = [], mutation?: object): GraphQLSchema {
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query as never }),
    ...(mutation && { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation as never }) }),
    types,
  });
}

function otherwise(rule?: AccessRule): object {
  return { extensions: { ...(rule && { access: rule }), otherwise: () => null } };
}

function aShelf(letters: object): GraphQLObjectType {
  return new GraphQLObjectType({ name: 'Shelf', fields: { label: text, letters: letters as never } });
}

describe('enforceAccess', () => {
  const open = { open: { ...text, ...RULED } };

  it.each<[string, GraphQLSchema]>([
    ['Query.open', aSchema({ open: text })],
    ['Mutation.change', aSchema(open, [], { change: text })],
    ['Shelf.letters', aSchema(open, [aShelf({ type: letter })])],
  ])('throws for %s without a rule', (field, schema) => {
    expect(() => enforceAccess(schema, metadata)).toThrow(`${field} has no access rule`);
  });

  it.each(['[Letter]', 'Letter!', '[Letter!]!'])('requires a rule for a field of type %s', (type) => {
    const schema = buildFromText(`type Letter { text: String } type Shelf { letters: ${type} }`);
    expect(() => enforceAccess(schema, metadata)).toThrow('Shelf.letters has no access rule');
  });

  it.each<[string, GraphQLSchema]>([
    ['Mutation.change', aSchema(open, [], { change: { ...text, ...otherwise('taps:write') } })],
    ['Shelf.letters', aSchema(open, [aShelf({ type: letter, ...otherwise('workspace') })])],
    ['Query.public', aSchema({ public: { ...text, ...otherwise('public') } })],
    ['Query.unruled', aSchema({ unruled: { ...text, ...otherwise() } })],
  ])('throws for %s with a fallback', (_, schema) => {
    expect(() => enforceAccess(schema, metadata)).toThrow();
  });

  it('accepts these schemas with rules, and needs no rule for fields without rows of a workspace', () => {
    const shelf = aShelf({ type: letter, ...RULED });
    expect(() => enforceAccess(aSchema(open, [shelf], { change: { ...text, ...RULED } }), metadata)).not.toThrow();
  });
});

describe('a guarded field', () => {
  const REFUSAL = new AppError('WORKSPACE_FORBIDDEN', 'Not here.');

  function run(rule: AccessRule, context: Partial<AccessContext>, resolve?: () => unknown): Promise<ExecutionResult> {
    const field = { ...text, extensions: { access: rule }, ...(resolve && { resolve }) };
    const schema = aSchema({ field });
    enforceAccess(schema, metadata);
    return graphql({ schema, source: '{ field }', rootValue: { field: 'by default' }, contextValue: context });
  }

  function codeOf({ errors }: ExecutionResult): string | undefined {
    return (errors?.[0]?.originalError as AppError | undefined)?.code;
  }

  const as = (kind: string, grants: string[] = []): Partial<AccessContext> => ({
    caller: { kind, grants: new Set(grants) } as never,
  });
  const withGrants = (...grants: string[]): Partial<AccessContext> => as('user', grants);

  it.each<[AccessRule, string[], boolean]>([
    ['taps:write', ['taps:write'], true],
    ['taps:write', ['taps:*'], true],
    ['taps:write', ['*'], true],
    ['taps:write', ['taps:delete'], false],
    ['taps:write', ['taps'], false],
    ['taps:write', ['taps:writer', 'tap:*', ':*', 'TAPS:WRITE'], false],
    ['taps:write', [], false],
    ['workspace', [], true],
    ['member', [], true],
    ['public', [], true],
  ])('%s for %j: %s', async (rule, grants, isAnswered) => {
    const reply = await run(rule, withGrants(...grants));
    expect(codeOf(reply)).toBe(isAnswered ? undefined : 'FORBIDDEN');
    expect(reply.data?.field).toBe(isAnswered ? 'by default' : null);
  });

  it.each<[AccessRule, boolean]>([
    ['taps:write', true],
    ['taps:delete', false],
    ['workspace', true],
    ['member', false],
    ['public', true],
  ])('%s for an API key with taps:write: %s', async (rule, isAnswered) => {
    const reply = await run(rule, as('api_key', ['taps:write']));
    expect(codeOf(reply)).toBe(isAnswered ? undefined : 'FORBIDDEN');
  });

  it.each<[AccessRule, string | undefined]>([
    ['taps:write', 'UNAUTHENTICATED'],
    ['workspace', 'UNAUTHENTICATED'],
    ['member', 'UNAUTHENTICATED'],
    ['public', undefined],
  ])('%s for an unauthenticated request: %s', async (rule, code) => {
    expect(codeOf(await run(rule, {}))).toBe(code);
  });

  it('returns the authentication error to a rejected caller', async () => {
    expect(codeOf(await run('member', { refusal: REFUSAL }))).toBe('WORKSPACE_FORBIDDEN');
    expect(codeOf(await run('taps:write', { refusal: REFUSAL }))).toBe('WORKSPACE_FORBIDDEN');
    expect((await run('public', { refusal: REFUSAL })).data?.field).toBe('by default');
  });

  it('does not run its resolver for a rejected caller', async () => {
    let calls = 0;
    const resolve = () => `call ${++calls}`;
    await run('taps:write', withGrants('taps:delete'), resolve);
    await run('member', {}, resolve);
    expect(calls).toBe(0);
    expect((await run('taps:write', withGrants('taps:write'), resolve)).data?.field).toBe('call 1');
  });
});

describe('a field that may be denied', () => {
  it.each<[string, AccessRule, string]>([
    ['Query.field', 'public', 'String!'],
    ['Query.field', 'workspace', 'String'],
    ['Query.field', 'taps:write', 'String'],
    ['Mutation.field', 'taps:write', 'String'],
    ['Shelf.letters', 'public', '[Letter!]!'],
    ['Shelf.letters', 'workspace', '[Letter!]'],
    ['Letter.text', 'workspace', 'String!'],
    ['Letter.text', 'taps:write', 'String'],
  ])('is nullable, and other fields are not: %s with %s is a %s', (name, rule, type) => {
    const [owner, field] = name.split('.') as [string, string];
    const schema = buildFromText(`type Letter { text: String! } type Shelf { letters: [Letter!]! }
      type Query { field: String! } type Mutation { field: String! }`);
    const fieldIn = (on: string, named: string) => (schema.getType(on) as GraphQLObjectType).getFields()[named];
    for (const guarded of ['Query.field', 'Mutation.field', 'Shelf.letters'])
      Object.assign(fieldIn(...(guarded.split('.') as [string, string])) as object, RULED);
    Object.assign(fieldIn(owner, field) as object, { extensions: { access: rule } });
    enforceAccess(schema, metadata);
    expect(String(fieldIn(owner, field)?.type)).toBe(type);
  });
});

describe('@Access', () => {
  @Resolver(() => Shelf)
  class ShelfResolver {
    @Access('member')
    @Query(() => Shelf)
    shelf(): object {
      return { label: 'top' };
    }

    @FieldResolver()
    letters(): object[] {
      return [{ text: 'a' }];
    }
  }

  const run = async (source: string, grants: string[]) => {
    const schema = await buildSchema({ resolvers: [ShelfResolver], validate: false });
    enforceAccess(schema, metadata);
    return graphql({ schema, source, contextValue: { caller: { kind: 'user', grants: new Set(grants) } } });
  };

  it('on an entity applies to a field with a field resolver', async () => {
    const QUERY = '{ shelf { label letters { text } } }';
    expect((await run('{ shelf { label } }', [])).data).toEqual({ shelf: { label: 'top' } });
    expect((await run(QUERY, [])).errors?.[0]?.path).toEqual(['shelf', 'letters']);
    expect((await run(QUERY, ['connectors:read'])).data).toEqual({
      shelf: { label: 'top', letters: [{ text: 'a' }] },
    });
  });
});
