import type { UploadFault } from '../kernel/errors.js';

/** What may be wrong with a file that is uploaded or looked into; docs/files.md says what each one means. */
export type FileFaultCode =
  | UploadFault
  | `WA-AF-${'020' | '021' | '022' | '023' | '024' | '026' | '027' | '028' | '030' | '099'}`;

/** Why a text is not taken for a table. `message` is a sentence for people; values of the file stand in it cut to 64 characters. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';

  constructor(
    readonly code: FileFaultCode,
    message: string,
  ) {
    super(message);
  }
}
