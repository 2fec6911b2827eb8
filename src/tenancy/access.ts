import type { MetadataStorage } from '@mikro-orm/core';
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { AppError, type ErrorCode } from '../kernel/errors.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import type { Caller } from './caller.js';
import { hasPermission, type Permission } from './permissions.js';

/**
 * Who may read a field. `public`: every request, even without authentication. `workspace`: all callers in the
 * workspace. `member`: users, but not API keys. A permission: callers with this permission.
 */
export type AccessRule = 'public' | 'workspace' | 'member' | Permission;

export interface AccessOptions {
  /**
   * Only for root fields of Query: the value of the field for an authenticated caller without a workspace, a membership
   * or the permission. A request without a bearer token still fails with UNAUTHENTICATED.
   */
  readonly otherwise?: () => unknown;
}

/** Every root field and every field that returns rows of a workspace requires a rule. */
export const Access = (rule: AccessRule, { otherwise }: AccessOptions = {}) =>
  Extensions({ access: rule, ...(otherwise && { otherwise }) });

/** Errors for which a field returns the value of `otherwise`. */
const FALLBACK_ERROR_CODES: readonly ErrorCode[] = ['WORKSPACE_REQUIRED', 'WORKSPACE_FORBIDDEN', 'FORBIDDEN'];

/** All fields throw this one object, so that a query does not create one error per row. */
const MISSING_TOKEN_ERROR = new AppError('UNAUTHENTICATED', 'A bearer token is required.');

export interface AccessContext extends RequestContext {
  readonly caller?: Caller | undefined;
  readonly refusal?: AppError | undefined;
}

type Field = GraphQLField<unknown, AccessContext>;

/**
 * Enforces the rules of all fields, and makes fields nullable if their rule may deny them. Throws at startup if a field
 * lacks a required rule, so that no field is public by mistake.
 */
export function enforceAccess(schema: GraphQLSchema, metadata: MetadataStorage): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const entities = new Map([...metadata.getAll().values()].map((entity) => [entity.className, entity]));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      const rule = accessRuleOf(field);
      const holdsRows = entities.get(type.name)?.rowLevelSecurity;
      const leads = entities.has(type.name) && entities.get(getNamedType(field.type).name)?.rowLevelSecurity;
      if (!rule && (leads || roots.includes(type))) throw new Error(`${type.name}.${field.name} has no access rule`);
      // A mutation with a fallback would look successful after its rejection. A nested field needs no fallback, because
      // its error does not affect other fields.
      if (otherwiseOf(field) && (type !== schema.getQueryType() || !rule || rule === 'public'))
        throw new Error(`${type.name}.${field.name} has a fallback, which only non-public fields of Query may have`);
      if (!rule || rule === 'public') continue;
      guardField(field, rule);
      // Only callers in the workspace of a row can read the row, and the rule `workspace` allows all of them.
      if (rule !== 'workspace' || !holdsRows) makeNullable(field);
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

/**
 * Makes a denied field null, with an error. With a non-null type, the error would also discard the parent object.
 * `nullIfDenied` marks fields that are null for no other reason.
 */
function makeNullable(field: Field): void {
  if (!isNonNullType(field.type)) return;
  field.type = getNullableType(field.type);
  field.extensions = { ...field.extensions, nullIfDenied: true };
}

function guardField(field: Field, rule: AccessRule): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  const guard = (work: GraphQLFieldResolver<unknown, AccessContext>): typeof work => {
    return (source, args, context, info) => {
      const refusal = refusalOf(context, rule);
      return refusal ? resolveFallback(field, refusal) : work(source, args, context, info);
    };
  };
  field.resolve = guard(resolve);
  if (subscribe) field.subscribe = guard(subscribe);
}

function resolveFallback(field: WithExtensions, refusal: AppError): unknown {
  const otherwise = FALLBACK_ERROR_CODES.includes(refusal.code) ? otherwiseOf(field) : undefined;
  if (!otherwise) throw refusal;
  return otherwise();
}

/** Throws if the caller may not read the root field, unless the field has a fallback for the error. */
export function requireFieldAccess(context: AccessContext, field: WithExtensions): void {
  const refusal = refusalOf(context, accessRuleOf(field) as AccessRule);
  if (refusal) resolveFallback(field, refusal);
}

export function isAllowed(context: AccessContext, rule: AccessRule): boolean {
  return refusalOf(context, rule) === undefined;
}

function refusalOf({ caller, refusal }: AccessContext, rule: AccessRule): AppError | undefined {
  if (rule === 'public') return undefined;
  if (!caller) return refusal ?? MISSING_TOKEN_ERROR;
  if (rule === 'workspace') return undefined;
  if (rule === 'member')
    return caller.kind === 'user'
      ? undefined
      : new AppError('FORBIDDEN', 'This operation requires a user; API keys are not allowed.');
  if (hasPermission(caller.grants, rule)) return undefined;
  return new AppError('FORBIDDEN', `This operation requires the permission ${rule}.`);
}
