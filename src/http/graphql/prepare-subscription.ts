import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { AppError } from '../../kernel/errors.js';
import { checkDocument, MAX_DOCUMENT_ERRORS, VALIDATION_RULES } from './check-graphql-document.js';
import { refuseName, requireVariables } from './check-graphql-request.js';
import { formatGraphqlError } from './format-graphql-error.js';
import { createCostCheck } from './operation-cost.js';

export interface SubscriptionRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

export type PreparedSubscription = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>;

/**
 * Validates a request in the same way as `/graphql`. For an invalid document, returns at most `MAX_DOCUMENT_ERRORS`
 * errors. Throws other errors.
 */
export function prepareSubscription(
  schema: GraphQLSchema,
  { query, operationName = null, variables = {} }: SubscriptionRequest,
): PreparedSubscription | { readonly errors: readonly GraphQLFormattedError[] } {
  if (typeof query !== 'string') throw new AppError('BAD_REQUEST', 'query is required.');
  if (operationName !== null && typeof operationName !== 'string')
    throw new AppError('BAD_REQUEST', 'operationName must be a string.');
  const checked = checkDocument(schema, query);
  if (checked.errors.length > 0)
    return { errors: checked.errors.map((one) => ({ ...one, extensions: { code: 'BAD_REQUEST' } })) };
  const document = checked.document ?? parse(query); // Throws the syntax error of a malformed document.
  const faults = validate(schema, document, VALIDATION_RULES, { maxErrors: MAX_DOCUMENT_ERRORS });
  if (faults.length > 0) return { errors: faults.slice(0, MAX_DOCUMENT_ERRORS).map((one) => formatGraphqlError(one)) };
  const variableValues = requireObject(variables ?? {});
  requireSubscription(schema, document, operationName, variableValues);
  return { schema, document, operationName, variableValues };
}

function requireObject(variables: unknown): Record<string, unknown> {
  if (typeof variables !== 'object' || Array.isArray(variables))
    throw new AppError('BAD_REQUEST', 'variables must be an object.');
  return variables as Record<string, unknown>;
}

function requireSubscription(
  schema: GraphQLSchema,
  document: DocumentNode,
  name: string | null,
  variables: Record<string, unknown>,
): void {
  const operation = getOperationAST(document, name) ?? refuseName(document, name ?? undefined);
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
    throw new AppError(
      'BAD_REQUEST',
      'This endpoint accepts only subscriptions. Send queries and mutations to /graphql.',
    );
  requireVariables(schema, operation, variables);
  createCostCheck(schema, document, operation)(variables);
}
