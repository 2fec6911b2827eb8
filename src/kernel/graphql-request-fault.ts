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
 * What is wrong with a GraphQL request, in sentences that repeat names out of it and never a value: credentials travel in
 * values, and graphql-js and scalars quote what they refuse.
 */

/** Codes of Apollo whose sentences are fixed, or hold names and types alone where no literal is what they are about. */
const VALUE_FREE_CODES: readonly unknown[] = [
  'BAD_REQUEST',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
];

/** Of these, graphql-js has the type of what they hold at hand; their own is the one around it. */
const CONTAINER_KINDS: readonly Kind[] = [Kind.OBJECT_FIELD, Kind.LIST];

const expectedTypes = new WeakMap<ASTNode, string>();

/** GraphQL validation rule: refuses nothing, but notes what each literal ought to be. */
export function recordExpectedTypes(context: ValidationContext): ASTVisitor {
  return {
    enter(node) {
      if (!isLiteral(node)) return;
      const type = CONTAINER_KINDS.includes(node.kind) ? context.getParentInputType() : context.getInputType();
      if (type) expectedTypes.set(node, String(type));
    },
  };
}

/** The sentence, or undefined where the error is not about the request but about what came of it. */
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
  if (nodes?.[0]?.kind === Kind.VARIABLE) return message; // a variable without a value: its name and a type
  if (path) return undefined;
  if (!nodes && source) return faultOfSyntax(source, positions?.[0] ?? 0);
  return VALUE_FREE_CODES.includes(extensions?.code) ? message : 'This is not a request that can be answered.';
}

function isLiteral(node: ASTNode): boolean {
  return node.kind === Kind.OBJECT_FIELD || (isValueNode(node) && node.kind !== Kind.VARIABLE);
}

function faultOfLiteral(node: ASTNode): string {
  const at = locationOf(node);
  const place = at ? ` at ${spelled(at)}` : '';
  const expected = expectedTypes.get(node);
  if (node.kind === Kind.OBJECT_FIELD) return `The field${place} is none of ${expected}.`;
  return expected ? `The value${place} is not a valid ${expected}.` : `The value${place} is not valid.`;
}

function faultOfSyntax(source: Source, position: number): string {
  const place = spelled(getLocation(source, position));
  const lexer = new Lexer(source);
  try {
    while (lexer.advance().start < position);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return `The characters at ${place} are not GraphQL.`;
  }
  const { kind } = lexer.token;
  return `A document of GraphQL may not ${kind === TokenKind.EOF ? `end` : `have a ${kind}`} at ${place}.`;
}

function spelled({ line, column }: SourceLocation): string {
  return `line ${line}, column ${column}`;
}
