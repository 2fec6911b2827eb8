import type { UploadFault } from '../../kernel/errors.js';

/** Codes for errors in uploaded files. docs/files.md explains each of them. */
export type FileErrorCode =
  | UploadFault
  | `WA-AF-${'020' | '021' | '022' | '023' | '024' | '026' | '027' | '028' | '030' | '099'}`;

/** A text cannot be read as a table. `message` is for users; it quotes at most 64 characters of a value. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    readonly code: FileErrorCode,
    message: string,
  ) {
    super(message);
  }
}
