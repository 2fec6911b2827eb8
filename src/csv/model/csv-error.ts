/** Codes of rejected uploads, checks and publications. docs/files.md explains each of them. */
type RequestErrorCode = `WA-AF-${
  | '001'
  | '002'
  | '003'
  | '004'
  | '005'
  | '006'
  | '007'
  | '008'
  | '009'
  | '010'
  | '011'
  | '012'
  | '013'
  | '014'
  | '015'
  | '023'
  | '025'
  | '029'
  | '031'}`;

declare module '../../kernel/errors.js' {
  interface ErrorCodes extends Record<RequestErrorCode, true> {}
}

/** Codes of rejected requests, and of failed inferences and publications. */
export type FileErrorCode =
  | RequestErrorCode
  | `WA-AF-${'020' | '021' | '022' | '024' | '026' | '027' | '028' | '030' | '099'}`;

/**
 * Thrown if a file cannot be read as a table, or if its column types cannot be inferred. `message` is for users, and
 * quotes at most 64 characters of a value.
 */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    readonly code: FileErrorCode,
    message: string,
  ) {
    super(message);
  }
}
