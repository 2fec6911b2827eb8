import type { MetadataStorage } from '@mikro-orm/core';
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import { AppError } from '../kernel/errors.js';
import type { RequestContext } from '../kernel/request-context.js';
import type { Caller } from './caller.js';
import { allows, type Permission } from './permissions.js';

/** Who may ask for a field: everybody; every caller in the workspace; its people, not its API keys; or who has the permission. */
export type Rule = 'public' | 'workspace' | 'member' | Permission;

/** Required on every root field and on every field that leads to rows of a workspace. */
export const Access = (rule: Rule) => Extensions({ access: rule });

/** As much of a request as a rule looks at: a caller, or why there is none. */
export interface Admitted extends RequestContext {
  readonly caller?: Caller | undefined;
  readonly refusal?: AppError | undefined;
}

type Field = GraphQLField<unknown, Admitted>;

/** Puts each field behind its rule. A field that needs one and has none ends the start-up, so that nothing is open by oversight. */
export function enforceAccess(schema: GraphQLSchema, metadata: MetadataStorage): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const entities = new Map([...metadata.getAll().values()].map((entity) => [entity.className, entity]));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      const rule = ruleOf(field);
      const leads = entities.has(type.name) && entities.get(getNamedType(field.type).name)?.rowLevelSecurity;
      if (!rule && (leads || roots.includes(type))) throw new Error(`${type.name}.${field.name} has no access rule`);
      if (rule && rule !== 'public') guard(field, rule);
    }
  }
}

export function ruleOf(field: { extensions: object }): Rule | undefined {
  return (field.extensions as { access?: Rule }).access;
}

function guard(field: Field, rule: Exclude<Rule, 'public'>): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    requireAccess(context, rule);
    return resolve(source, args, context, info);
  };
}

/** Throws where the rule does not let the caller through. */
export function requireAccess(context: Admitted, rule: Rule): void {
  const refusal = rule === 'public' ? undefined : refusalOf(context, rule);
  if (refusal) throw refusal;
}

function refusalOf({ caller, refusal }: Admitted, rule: Exclude<Rule, 'public'>): AppError | undefined {
  if (!caller) return refusal ?? new AppError('UNAUTHENTICATED', 'A bearer token is needed.');
  if (rule === 'workspace') return undefined;
  if (rule === 'member')
    return caller.kind === 'user' ? undefined : new AppError('FORBIDDEN', 'This is for people, not for API keys.');
  if (allows(caller.grants, rule)) return undefined;
  return new AppError('FORBIDDEN', `This needs the permission ${rule}.`);
}
