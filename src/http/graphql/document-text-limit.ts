import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';

/** Bytes of a document: every error about it reads it again up to its place. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** Tokens of a document: the time to parse and validate it grows with them. */
const MAX_TOKENS = 5_000;

/** Brackets in each other, of selections, arguments, lists, objects and types: the parser recurses into each. */
const MAX_NESTING = 64;

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Why a GraphQL document is too large to be parsed; undefined where it is not, or the parser will find it malformed. */
export function findDocumentTextFault(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) return `The document exceeds ${MAX_DOCUMENT_BYTES / 1024} KiB.`;
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  try {
    for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens++) {
      if (tokens === MAX_TOKENS) return `The document exceeds ${MAX_TOKENS} tokens.`;
      const { kind } = lexer.token;
      if (OPENING.includes(kind)) nesting += 1;
      else if (CLOSING.includes(kind)) nesting -= 1;
      if (nesting > MAX_NESTING) return `The document nests more than ${MAX_NESTING} brackets.`;
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return undefined;
}
