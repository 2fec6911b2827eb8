import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  typeFromAST,
} from 'graphql';
import { AppError } from '../../kernel/errors.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { checkVariable } from './check-variable.js';
import type { DocumentCache } from './document-cache.js';

/**
 * Checks the operation name and the variables before graphql-js does, because messages of graphql-js would quote
 * invalid values. Also checks the cost.
 */
export function checkGraphqlRequest(
  schema: GraphQLSchema,
  documents: DocumentCache,
): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ operation, document, request }) => {
        try {
          const wanted = operation ?? refuseName(document, request.operationName);
          if (wanted.operation === OperationTypeNode.SUBSCRIPTION)
            throw new AppError('BAD_REQUEST', 'Send subscriptions to /graphql/stream.');
          const variables = request.variables ?? {};
          requireVariables(schema, wanted, variables);
          documents.checkCost(document, wanted, variables);
        } catch (originalError) {
          throw new GraphQLError('', { originalError: originalError as Error, extensions: { http: { status: 400 } } });
        }
      },
    }),
  };
}

/** Throws BAD_REQUEST if a variable is missing or has the wrong type. */
export function requireVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Record<string, unknown>,
): void {
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never);
    if (!isInputType(type)) continue; // Validation rejects an unknown type.
    if (Object.hasOwn(values, name)) checkVariable(name, values[name], type);
    else if (isNonNullType(type) && !defaultValue)
      throw new AppError('BAD_REQUEST', `$${name} of type ${type} is required.`);
  }
}

/** Throws BAD_REQUEST with the reason why `name` selects no operation. */
export function refuseName({ definitions }: DocumentNode, name: string | undefined): never {
  const hasOperations = definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const ofSeveral = 'The document has several operations. Set operationName to the name of one of them.';
  const sentence = name ? 'The document contains no operation with the name in operationName.' : ofSeveral;
  throw new AppError('BAD_REQUEST', hasOperations ? sentence : 'The document has no operation.');
}
