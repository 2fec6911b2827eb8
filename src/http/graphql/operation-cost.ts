import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { AppError } from '../../kernel/errors.js';
import { type CountedField, countedFields, type Variables } from './counted-fields.js';

/**
 * Maximum number of objects that an operation may return according to its page sizes. GitHub's API has the same limit.
 */
const MAX_OBJECTS = 500_000;

/** Throws BAD_REQUEST if an operation may return too many objects with these variables. */
export type CostCheck = (variables: Variables) => void;

/** Analyzes the operation once, so that each check reads only the variables. The operation must be valid. */
export function createCostCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CostCheck {
  const fields = countedFields(schema, document, operation);
  const defaults = defaultsOf(operation.variableDefinitions ?? []);
  return (given) => {
    const largest = { path: '', objects: 0 };
    const total = sumObjects(fields, 1, { ...defaults, ...given }, largest);
    if (total > MAX_OBJECTS) throw tooManyObjects(total, largest.path, operation.operation);
  };
}

function sumObjects(
  fields: readonly CountedField[],
  around: number,
  variables: Variables,
  largest: { path: string; objects: number },
): number {
  let sum = 0;
  for (const { path, conditions, count, isRow, below } of fields) {
    if (conditions.some(({ variable, value }) => variables[variable] !== value)) continue;
    const objects = around * count(variables);
    if (isRow && objects > largest.objects) Object.assign(largest, { path, objects });
    sum += (isRow ? objects : 0) + sumObjects(below, objects, variables, largest);
  }
  return sum;
}

function defaultsOf(definitions: readonly VariableDefinitionNode[]): Variables {
  return Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

function tooManyObjects(total: number, path: string, operation: string): AppError {
  const [found, most] = [total, MAX_OBJECTS].map((objects) => objects.toLocaleString('en'));
  return new AppError(
    'BAD_REQUEST',
    `The ${operation} may return ${found} objects, but the maximum is ${most}. Most of these objects are in ${path}. ` +
      `Set a smaller \`limit\` on this field or on the lists that contain it, or send several requests.`,
  );
}
