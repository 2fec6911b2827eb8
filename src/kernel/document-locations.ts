import { type ASTNode, type DocumentNode, type GraphQLError, type SourceLocation, visit } from 'graphql';

/** Places of an error that are shown. */
const MAX_LOCATIONS = 5;

const nodeLocations = new WeakMap<ASTNode, SourceLocation>();

/**
 * Moves the places of all nodes out of a document. With them each `GraphQLError` would scan its text from the start, and a
 * request may fail for each row that it reads.
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

/** Where a node begins. */
export function locationOf(node: ASTNode): SourceLocation | undefined {
  return nodeLocations.get(node);
}

/** Where an error is: in a document that was parsed, else where parsing ended. */
export function locationsOf({ nodes, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const known = nodes?.slice(0, MAX_LOCATIONS).flatMap((node) => nodeLocations.get(node) ?? []);
  return known?.length ? known : locations;
}
