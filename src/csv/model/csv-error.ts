import type { UploadFault } from '../../kernel/errors.js';

/** What may be wrong with a file that is uploaded or looked into; docs/files.md says what each one means. */
export type FileErrorCode =
  | UploadFault
  | `WA-AF-${'020' | '021' | '022' | '023' | '024' | '026' | '027' | '028' | '030' | '099'}`;

/** Why a text is not taken for a table. `message` is a sentence for people; values of the file stand in it cut to 64 characters. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    readonly code: FileErrorCode,
    message: string,
  ) {
    super(message);
  }
}
