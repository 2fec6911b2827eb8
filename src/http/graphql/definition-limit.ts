import { type ASTVisitor, BREAK, GraphQLError, Kind, type ValidationContext } from 'graphql';

/**
 * Maximum number of operations and fragments of a document: each operation is validated with all fragments that it
 * uses.
 */
const MAX_DEFINITIONS = 100;

/** Maximum number of variables of an operation, arguments of a field or directive, and directives of a field. */
const MAX_LIST_ITEMS = 100;

/** GraphQL validation rule: limits the definitions of a document and the length of the lists of its nodes. */
export function definitionLimit(context: ValidationContext): ASTVisitor {
  const check = (list: readonly unknown[] | undefined, most: number, what: string): typeof BREAK | undefined => {
    if (!list || list.length <= most) return undefined;
    context.reportError(new GraphQLError(`The document has more than ${most} ${what}.`));
    return BREAK;
  };
  return {
    enter(node) {
      if (node.kind === Kind.DOCUMENT) return check(node.definitions, MAX_DEFINITIONS, 'operations and fragments');
      const variables = node.kind === Kind.OPERATION_DEFINITION ? node.variableDefinitions : [];
      return (
        check(variables, MAX_LIST_ITEMS, 'variables of an operation') ??
        check('arguments' in node ? node.arguments : [], MAX_LIST_ITEMS, 'arguments in a list') ??
        check('directives' in node ? node.directives : [], MAX_LIST_ITEMS, 'directives in a list')
      );
    },
  };
}
