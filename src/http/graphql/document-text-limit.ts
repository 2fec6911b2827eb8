import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { formatBytes } from '../../kernel/formats/format-bytes.js';

/** `MAX_TOKENS` does not limit long strings and comments, because a string is one token, and a comment is none. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** The time to parse and validate a document grows with its tokens. */
const MAX_TOKENS = 5_000;

/** The parser is recursive, so deeply nested brackets could overflow its stack. */
const MAX_NESTING = 64;

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** Returns the reason why a document is too large to parse. Ignores syntax errors, which the parser reports. */
export function findDocumentTextFault(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    return `The document exceeds the limit of ${formatBytes(MAX_DOCUMENT_BYTES)}.`;
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  try {
    for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens++) {
      if (tokens === MAX_TOKENS) return `The document exceeds the limit of ${MAX_TOKENS.toLocaleString('en')} tokens.`;
      const { kind } = lexer.token;
      if (OPENING.includes(kind)) nesting += 1;
      else if (CLOSING.includes(kind)) nesting -= 1;
      if (nesting > MAX_NESTING) return `The document nests brackets more than ${MAX_NESTING} levels deep.`;
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return undefined;
}
