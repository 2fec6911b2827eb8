import { ColumnValues } from '../formats/column-values.js';
import { type DetectedDatetimeFormats, detectDatetimeFormats } from '../formats/detect-datetime-format.js';
import {
  type DetectedNumberFormat,
  detectNumberFormat,
  type SiblingSeparators,
} from '../formats/detect-number-format.js';

/** Detects the number format and the datetime formats only once, because several column types use them. */
export class ColumnSample extends ColumnValues {
  #numberFormat: DetectedNumberFormat | undefined;
  #datetimeFormats: DetectedDatetimeFormats | undefined;

  constructor(
    values: readonly string[],
    private readonly siblings?: SiblingSeparators,
  ) {
    super(values);
  }

  withValues(values: readonly string[]): ColumnSample {
    return new ColumnSample(values, this.siblings);
  }

  get numberFormat(): DetectedNumberFormat {
    this.#numberFormat ??= detectNumberFormat(this, this.siblings);
    return this.#numberFormat;
  }

  get datetimeFormats(): DetectedDatetimeFormats {
    this.#datetimeFormats ??= detectDatetimeFormats(this);
    return this.#datetimeFormats;
  }
}
