import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  parse,
  specifiedRules,
  TypeInfo,
  ValidationContext,
  type ValidationRule,
  visit,
} from 'graphql';
import type { Context, Middleware } from 'koa';
import { detachLocations, locationsOf } from '../../kernel/document-locations.js';
import { recordExpectedTypes } from '../../kernel/graphql-request-fault.js';
import { definitionLimit } from './definition-limit.js';
import { depthLimit } from './depth-limit.js';
import { findDocumentTextFault } from './document-text-limit.js';
import { introspectionLimit } from './introspection-limit.js';
import { overlapLimit } from './overlap-limit.js';
import { sizeLimit } from './size-limit.js';

/**
 * The order of these rules matters, because each rule bounds the time of the following rules. The other rules of
 * graphql-js run later.
 */
const LIMIT_RULES: readonly ValidationRule[] = [
  definitionLimit,
  NoFragmentCyclesRule,
  depthLimit,
  sizeLimit,
  overlapLimit,
  introspectionLimit,
];

export const VALIDATION_RULES: readonly ValidationRule[] = [...specifiedRules, recordExpectedTypes];

/**
 * The validation stops after this number of errors. A search for all errors of a hostile document would take too long.
 */
export const MAX_DOCUMENT_ERRORS = 5;

export interface DocumentFault {
  readonly message: string;
}

export interface CheckedDocument {
  readonly errors: readonly DocumentFault[];
  /** Undefined if the text is malformed or invalid, or exceeds a limit. */
  readonly document?: DocumentNode;
}

/** Rejects a document before Apollo reads it, if parsing or validation would take too long. */
export function checkGraphqlDocument(read: (ctx: Context, text: string) => CheckedDocument): Middleware {
  return (ctx, next) => {
    const text = documentOf(ctx);
    const { errors } = text === undefined ? { errors: [] } : read(ctx, text);
    if (errors.length === 0) return next();
    const isPrecise = acceptsGraphqlResponse(ctx.get('Accept'));
    ctx.status = isPrecise ? 400 : 200;
    ctx.type = isPrecise ? 'application/graphql-response+json' : 'application/json';
    ctx.body = JSON.stringify({
      errors: errors.map((error) => ({ ...error, extensions: { code: 'BAD_REQUEST' } })),
    });
  };
}

/**
 * Returns whether a response with document errors may have an error status. With `application/json`, its status is 200
 * (GraphQL over HTTP, section 6.4).
 */
export function acceptsGraphqlResponse(accept: string): boolean {
  return accept.includes('application/graphql-response+json');
}

function documentOf(ctx: Context): string | undefined {
  const { query } = ctx.method === 'GET' ? ctx.query : ((ctx.request.body ?? {}) as { query?: unknown });
  return typeof query === 'string' ? query : undefined;
}

/** For a malformed document, returns no errors, because Apollo reports the syntax error. */
export function checkDocument(schema: GraphQLSchema, text: string): CheckedDocument {
  const message = findDocumentTextFault(text);
  if (message) return { errors: [{ message }] };
  const document = parsed(text);
  if (!document) return { errors: [] };
  detachLocations(document);
  for (const rule of LIMIT_RULES) {
    const errors = errorsBy(rule, schema, document).slice(0, MAX_DOCUMENT_ERRORS);
    if (errors.length > 0)
      return { errors: errors.map((error) => ({ message: error.message, locations: locationsOf(error) })) };
  }
  return { errors: [], document };
}

/** Unlike `validate`, looks up no types, and does not visit the nodes that the rule skips. */
function errorsBy(rule: ValidationRule, schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), (error) => errors.push(error));
  visit(document, rule(context));
  return errors;
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
