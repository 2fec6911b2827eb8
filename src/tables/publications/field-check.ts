import type { SchemaField } from '../../csv/model/data-schema.js';
import { describeRejectedText } from '../../csv/types/describe-type-mismatch.js';
import { requireFieldReader } from '../../csv/types/field-reader.js';
import type { ArtifactColumn } from '../artifact-column.js';
import { acceptanceCheckOf, describeMisfit } from '../staging/column-type.js';
import { tableFieldOf } from '../table-schema.js';
import type { ColumnCheck, RejectedValue } from './column-check.js';

const MAX_EXAMPLES = 5;
const MAX_SHOWN_CHARACTERS = 64;

/** For one column, counts the values that a publication would reject. */
export class FieldCheck {
  failed = 0;
  readonly #read: ReturnType<typeof requireFieldReader>;
  readonly #fits: ReturnType<typeof acceptanceCheckOf>;
  readonly #examples = new Map<string, RejectedValue>();

  /** Throws a TypeError if the format of the field is invalid. */
  constructor(readonly field: SchemaField) {
    this.#read = requireFieldReader(field);
    this.#fits = acceptanceCheckOf(tableFieldOf(field));
  }

  /** Returns whether a publication would accept the text. Counts a text that it would reject. */
  accepts(text: string, place: Pick<RejectedValue, 'row' | 'line'>): boolean {
    const value = this.#read(text);
    if (value === null || (value !== undefined && this.#fits?.(value) !== false)) return true;
    this.failed++;
    if (this.#examples.size < MAX_EXAMPLES) this.#addExample(text, value, place);
    return false;
  }

  result(): ColumnCheck {
    const { title: _, ...column } = this.field;
    return { column: column as ArtifactColumn, failed: this.failed, examples: [...this.#examples.values()] };
  }

  #addExample(text: string, value: string | undefined, place: Pick<RejectedValue, 'row' | 'line'>): void {
    const shown = text.trim().slice(0, MAX_SHOWN_CHARACTERS).toWellFormed();
    if (this.#examples.has(shown)) return;
    const reason =
      value === undefined ? describeRejectedText(text, this.field) : describeMisfit(tableFieldOf(this.field), value);
    this.#examples.set(shown, { ...place, value: shown, reason });
  }
}
