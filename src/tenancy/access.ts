import type { MetadataStorage } from '@mikro-orm/core';
import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import { AppError, type ErrorCode } from '../kernel/errors.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import type { Caller } from './caller.js';
import { hasPermission, type Permission } from './permissions.js';

/** Who may ask for a field: everybody; every caller in the workspace; its people, not its API keys; or who has the permission. */
export type AccessRule = 'public' | 'workspace' | 'member' | Permission;

export interface AccessOptions {
  /**
   * For a root field of Query: what is answered, without running the resolver, to a caller who is known but has named no
   * workspace that lets them in, or lacks the permission. Without a bearer the answer is UNAUTHENTICATED all the same.
   */
  readonly otherwise?: () => unknown;
}

/** Required on every root field and on every field that leads to rows of a workspace. */
export const Access = (rule: AccessRule, { otherwise }: AccessOptions = {}) =>
  Extensions({ access: rule, ...(otherwise && { otherwise }) });

/** The refusals that a field may answer instead of. */
const FALLBACK_ERROR_CODES: readonly ErrorCode[] = ['WORKSPACE_REQUIRED', 'WORKSPACE_FORBIDDEN', 'FORBIDDEN'];

/** One for all, since a question may meet it for each row. */
const MISSING_TOKEN_ERROR = new AppError('UNAUTHENTICATED', 'A bearer token is needed.');

/** As much of a request as a rule looks at: a caller, or why there is none. */
export interface AccessContext extends RequestContext {
  readonly caller?: Caller | undefined;
  readonly refusal?: AppError | undefined;
}

type Field = GraphQLField<unknown, AccessContext>;

/** Puts each field behind its rule. A field that needs one and has none ends the start-up, so that nothing is open by oversight. */
export function enforceAccess(schema: GraphQLSchema, metadata: MetadataStorage): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const entities = new Map([...metadata.getAll().values()].map((entity) => [entity.className, entity]));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      const rule = accessRuleOf(field);
      const leads = entities.has(type.name) && entities.get(getNamedType(field.type).name)?.rowLevelSecurity;
      if (!rule && (leads || roots.includes(type))) throw new Error(`${type.name}.${field.name} has no access rule`);
      // What changes something must never look done, and what is nested is refused by a path.
      if (otherwiseOf(field) && (type !== schema.getQueryType() || !rule || rule === 'public'))
        throw new Error(`${type.name}.${field.name} may not be answered otherwise`);
      if (rule && rule !== 'public') guardField(field, rule);
    }
  }
}

interface WithExtensions {
  readonly extensions: object;
}

export function accessRuleOf({ extensions }: WithExtensions): AccessRule | undefined {
  return (extensions as { access?: AccessRule }).access;
}

export function otherwiseOf({ extensions }: WithExtensions): AccessOptions['otherwise'] {
  return (extensions as AccessOptions).otherwise;
}

function guardField(field: Field, rule: AccessRule): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const refusal = refusalOf(context, rule);
    return refusal ? resolveFallback(field, refusal) : resolve(source, args, context, info);
  };
}

function resolveFallback(field: WithExtensions, refusal: AppError): unknown {
  const otherwise = FALLBACK_ERROR_CODES.includes(refusal.code) ? otherwiseOf(field) : undefined;
  if (!otherwise) throw refusal;
  return otherwise();
}

/** Throws where the caller gets no answer to a root field, neither the real one nor another. */
export function requireFieldAccess(context: AccessContext, field: WithExtensions): void {
  const refusal = refusalOf(context, accessRuleOf(field) as AccessRule);
  if (refusal) resolveFallback(field, refusal);
}

function refusalOf({ caller, refusal }: AccessContext, rule: AccessRule): AppError | undefined {
  if (rule === 'public') return undefined;
  if (!caller) return refusal ?? MISSING_TOKEN_ERROR;
  if (rule === 'workspace') return undefined;
  if (rule === 'member')
    return caller.kind === 'user' ? undefined : new AppError('FORBIDDEN', 'This is for people, not for API keys.');
  if (hasPermission(caller.grants, rule)) return undefined;
  return new AppError('FORBIDDEN', `This needs the permission ${rule}.`);
}
