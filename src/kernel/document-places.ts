import { type ASTNode, type DocumentNode, type GraphQLError, type SourceLocation, visit } from 'graphql';

/** Places of an error that are shown. */
const MAX_PLACES = 5;

const places = new WeakMap<ASTNode, SourceLocation>();

/**
 * Moves the places of all nodes out of a document. With them each `GraphQLError` would scan its text from the start, and a
 * request may fail for each row that it reads.
 */
export function detachPlaces(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      if (!node.loc) return;
      const { line, column } = node.loc.startToken;
      places.set(node, { line, column });
      (node as { loc?: unknown }).loc = undefined;
    },
  });
}

/** Where a node begins. */
export function placeOf(node: ASTNode): SourceLocation | undefined {
  return places.get(node);
}

/** Where an error is: in a document that was parsed, else where parsing ended. */
export function locationsOf({ nodes, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const known = nodes?.slice(0, MAX_PLACES).flatMap((node) => places.get(node) ?? []);
  return known?.length ? known : locations;
}
