import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  separateOperations,
  typeFromAST,
  validate,
} from 'graphql';

export interface Operation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
}

const OPERATIONS_FOLDER = join(import.meta.dirname, 'operations');

/**
 * Parses all files as one document, so that operations share fragments. Throws if the document does not match the
 * schema.
 */
export function readOperations(schema: GraphQLSchema): ReadonlyMap<string, Operation> {
  const files = readdirSync(OPERATIONS_FOLDER).filter((name) => name.endsWith('.graphql'));
  const document = parse(files.map((name) => readFileSync(join(OPERATIONS_FOLDER, name), 'utf8')).join('\n'));
  const [fault] = validate(schema, document);
  if (fault) throw new Error(`rest-facade/operations: ${fault.message}`);

  const operations = new Map<string, Operation>();
  for (const [name, own] of Object.entries(separateOperations(document))) {
    const definition = own.definitions.find(
      (node) => node.kind === Kind.OPERATION_DEFINITION,
    ) as OperationDefinitionNode;
    const variables = new Map(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        typeFromAST(schema, type as never) as unknown as GraphQLInputType,
      ]),
    );
    operations.set(name, { document: own, definition, variables });
  }
  return operations;
}
