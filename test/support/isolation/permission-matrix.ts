import { isDeepStrictEqual } from 'node:util';
import type { GraphQLField } from 'graphql';
import { AppError } from '../../../src/kernel/errors.js';
import { otherwiseOf } from '../../../src/tenancy/access.js';
import { FIELDS, PERMISSIONS } from './permission-tables.js';

export const CALLERS = ['owner', 'admin', 'editor', 'operator', 'viewer', 'anonymous', 'key'] as const;
export type CallerName = (typeof CALLERS)[number];

/** Marks (`x`, `.` or `o`) by caller. `permission-tables.ts` explains the marks. */
export type Marks = Record<string, string>;

export interface FieldRow {
  readonly field: string;
  readonly rule: string;
  readonly marks: Marks;
}

/** Returns whether authenticated callers without permission get a fallback instead of an error. */
export function hasFallback({ marks }: FieldRow): boolean {
  return Object.values(marks).includes('o');
}

/** Replaces `o` (fallback) by `x` (allowed), because a client cannot distinguish a fallback from data. */
export function asSeenByClient(marks: Marks): Marks {
  return Object.fromEntries(Object.entries(marks).map(([name, mark]) => [name, mark === 'o' ? 'x' : mark]));
}

/**
 * Returns the mark of a field for the caller in the context. The context has no services, so the resolver fails even
 * for an allowed caller, but not with an access error.
 */
export async function markOfResolving(
  field: GraphQLField<unknown, unknown>,
  context: { caller?: object | undefined; refusal?: AppError | undefined },
): Promise<string> {
  const otherwise = otherwiseOf(field);
  const functions = field.subscribe ? [field.subscribe, field.resolve] : [field.resolve];
  const marks = await Promise.all(functions.map((work) => markOf(async () => work?.({}, {}, context, {} as never))));
  return new Set(marks).size === 1 ? (marks[0] as string) : marks.join(' but ');

  async function markOf(resolving: () => Promise<unknown>): Promise<string> {
    const outcome = await resolving().catch((error: { code?: string }) => error);
    if (outcome instanceof AppError) return ACCESS_ERRORS.includes(outcome.code) ? '.' : 'x';
    return otherwise && isDeepStrictEqual(outcome, otherwise()) ? 'o' : 'x';
  }
}

const ACCESS_ERRORS = ['UNAUTHENTICATED', 'WORKSPACE_REQUIRED', 'WORKSPACE_FORBIDDEN', 'FORBIDDEN'];

function readTable(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(/ +/));
}

function marksOf(names: readonly string[], marks: readonly string[]): Marks {
  return Object.fromEntries(names.map((name, at) => [name, marks[at] as string]));
}

const [[, , ...callers], ...fields] = readTable(FIELDS) as [string[], ...string[][]];
const [[, ...holders], ...permissions] = readTable(PERMISSIONS) as [string[], ...string[][]];

const rows = fields.map(
  ([field, rule, ...marks]): FieldRow => ({
    field: field as string,
    rule: rule as string,
    marks: marksOf(callers, marks),
  }),
);

export const ROOT_FIELDS = rows.filter(({ field }) => !field.includes('.'));
/** Fields of `/graphql/stream`. `REQUEST_FIELDS` are the fields of `/graphql`. */
export const SUBSCRIPTION_FIELDS = ROOT_FIELDS.filter(({ field }) => field.endsWith('Changed'));
export const REQUEST_FIELDS = ROOT_FIELDS.filter((row) => !SUBSCRIPTION_FIELDS.includes(row));
export const NESTED_FIELDS = rows.filter(({ field }) => field.includes('.'));
export const PERMISSION_ROWS = permissions.map(([permission, ...marks]) => ({
  permission: permission as string,
  marks: marksOf(holders, marks),
}));
