import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  getLocation,
  isValueNode,
  Kind,
  Lexer,
  type Source,
  type SourceLocation,
  TokenKind,
  type ValidationContext,
} from 'graphql';
import { locationOf } from './document-locations.js';

/**
 * Error messages for invalid GraphQL requests. They repeat names from the request, but no values, because a value may
 * be a credential. The messages of graphql-js and of scalars may quote values, so this file replaces such messages.
 */

/** The messages of these Apollo errors contain no values, except for errors about literals. */
const VALUE_FREE_CODES: readonly unknown[] = [
  'BAD_REQUEST',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
];

/**
 * For a list, `getInputType` returns the type of the items. For an object field, `getInputType` returns the type of the
 * field. Errors name the type of the list or object, which `getParentInputType` returns.
 */
const CONTAINER_KINDS: readonly Kind[] = [Kind.OBJECT_FIELD, Kind.LIST];

const expectedTypes = new WeakMap<ASTNode, string>();

/** GraphQL validation rule that records the expected type of each literal, and rejects nothing. */
export function recordExpectedTypes(context: ValidationContext): ASTVisitor {
  return {
    enter(node) {
      if (!isLiteral(node)) return;
      const type = CONTAINER_KINDS.includes(node.kind) ? context.getParentInputType() : context.getInputType();
      if (type) expectedTypes.set(node, String(type));
    },
  };
}

/** Returns undefined if the execution caused the error. */
export function describeRequestFault({
  message,
  nodes,
  path,
  source,
  positions,
  extensions,
}: GraphQLError): string | undefined {
  const literal = nodes?.find(isLiteral);
  if (literal) return faultOfLiteral(literal);
  if (nodes?.[0]?.kind === Kind.VARIABLE) return message; // A variable is missing. The message has its name and type.
  if (path) return undefined;
  if (!nodes && source) return faultOfSyntax(source, positions?.[0] ?? 0);
  return VALUE_FREE_CODES.includes(extensions?.code)
    ? message
    : 'The request does not follow the GraphQL over HTTP specification.';
}

function isLiteral(node: ASTNode): boolean {
  return node.kind === Kind.OBJECT_FIELD || (isValueNode(node) && node.kind !== Kind.VARIABLE);
}

function faultOfLiteral(node: ASTNode): string {
  const at = locationOf(node);
  const place = at ? ` at ${formatLocation(at)}` : '';
  const expected = expectedTypes.get(node);
  if (node.kind === Kind.OBJECT_FIELD) return `The field${place} does not belong to ${expected}.`;
  return expected ? `The value${place} is not a valid ${expected}.` : `The value${place} is not valid.`;
}

function faultOfSyntax(source: Source, position: number): string {
  const place = formatLocation(getLocation(source, position));
  const lexer = new Lexer(source);
  try {
    while (lexer.advance().start < position);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return `Syntax error: invalid character at ${place}.`;
  }
  const { kind } = lexer.token;
  return `Syntax error: unexpected ${kind === TokenKind.EOF ? 'end of document' : kind} at ${place}.`;
}

function formatLocation({ line, column }: SourceLocation): string {
  return `line ${line}, column ${column}`;
}
