import { type ASTNode, type DocumentNode, type GraphQLError, type SourceLocation, visit } from 'graphql';

const MAX_LOCATIONS = 5;

const nodeLocations = new WeakMap<ASTNode, SourceLocation>();

/**
 * Moves the locations of all nodes out of a document. Otherwise each `GraphQLError` would scan the document from the
 * start, and a request may produce one error per row.
 */
export function detachLocations(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      if (!node.loc) return;
      const { line, column } = node.loc.startToken;
      nodeLocations.set(node, { line, column });
      (node as { loc?: unknown }).loc = undefined;
    },
  });
}

export function locationOf(node: ASTNode): SourceLocation | undefined {
  return nodeLocations.get(node);
}

/** Returns the locations of an error in a parsed document, or the position of a syntax error. */
export function locationsOf({ nodes, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const known = nodes?.slice(0, MAX_LOCATIONS).flatMap((node) => nodeLocations.get(node) ?? []);
  return known?.length ? known : locations;
}
