import type { SchemaField } from './model/data-schema.js';
import { hasExcessValues } from './records/has-excess-values.js';
import { RowWidths } from './records/row-widths.js';
import { describeRejectedText } from './types/describe-type-mismatch.js';
import { type FieldReader, requireFieldReader } from './types/field-reader.js';

export class RowConverter {
  readonly widths: RowWidths;
  readonly #readers: readonly FieldReader[];

  /** Throws a TypeError if the format of a field is invalid. */
  constructor(private readonly fields: readonly SchemaField[]) {
    this.#readers = fields.map(requireFieldReader);
    this.widths = new RowWidths(fields.length);
  }

  /**
   * Converts the strings in place. Treats missing values as empty. If a value does not fit, or if the row has too many
   * values, returns the reason for the rejection.
   */
  convert(values: (string | null)[], line: number): string | undefined {
    const readers = this.#readers;
    const count = values.length;
    const isLong = hasExcessValues(values, readers.length);
    this.widths.add(count, line, isLong);
    if (isLong) return `the row has ${count} values for ${readers.length} columns (line ${line})`;
    values.length = readers.length;
    if (count < readers.length) values.fill('', count);
    for (let at = 0; at < readers.length; at++) {
      const text = values[at] as string;
      const value = (readers[at] as FieldReader)(text);
      if (value === undefined) return this.#describeTypeMismatch(at, text);
      values[at] = value;
    }
    return undefined;
  }

  #describeTypeMismatch(at: number, text: string): string {
    const field = this.fields[at] as SchemaField;
    return `column ${JSON.stringify(field.name)}: ${describeRejectedText(text, field)}`;
  }
}
