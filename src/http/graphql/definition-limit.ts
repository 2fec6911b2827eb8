import { type ASTVisitor, BREAK, GraphQLError, Kind, type ValidationContext } from 'graphql';

/**
 * Maximum number of operations and fragments in a document. GraphQL validates each operation with all fragments that
 * the operation uses.
 */
const MAX_DEFINITIONS = 100;

/**
 * Maximum length of each of these lists: the variables of an operation, the arguments of a field or directive, and the
 * directives in one place.
 */
const MAX_LIST_ITEMS = 100;

export function definitionLimit(context: ValidationContext): ASTVisitor {
  const check = (
    list: readonly unknown[] | undefined,
    most: number,
    place: string,
    items: string,
  ): typeof BREAK | undefined => {
    if (!list || list.length <= most) return undefined;
    context.reportError(new GraphQLError(`${place} has more than ${most} ${items}.`));
    return BREAK;
  };
  return {
    enter(node) {
      if (node.kind === Kind.DOCUMENT)
        return check(node.definitions, MAX_DEFINITIONS, 'The document', 'operations and fragments');
      const variables = node.kind === Kind.OPERATION_DEFINITION ? node.variableDefinitions : [];
      return (
        check(variables, MAX_LIST_ITEMS, 'An operation of the document', 'variables') ??
        check(
          'arguments' in node ? node.arguments : [],
          MAX_LIST_ITEMS,
          'A field or directive of the document',
          'arguments',
        ) ??
        check('directives' in node ? node.directives : [], MAX_LIST_ITEMS, 'A part of the document', 'directives')
      );
    },
  };
}
