import { ColumnValues } from '../formats/column-values.js';
import { type DetectedDatetimeFormats, detectDatetimeFormats } from '../formats/detect-datetime-format.js';
import { type DetectedNumberFormat, detectNumberFormat } from '../formats/detect-number-format.js';

/** Caches results that several types need. */
export class ColumnSample extends ColumnValues {
  #numberFormat: DetectedNumberFormat | undefined;
  #datetimeFormats: DetectedDatetimeFormats | undefined;

  get numberFormat(): DetectedNumberFormat {
    this.#numberFormat ??= detectNumberFormat(this);
    return this.#numberFormat;
  }

  get datetimeFormats(): DetectedDatetimeFormats {
    this.#datetimeFormats ??= detectDatetimeFormats(this);
    return this.#datetimeFormats;
  }
}
