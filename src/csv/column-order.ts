import type { CsvHead } from './model/data-schema.js';

/** A property name that JavaScript moves before other names. */
const ARRAY_INDEX = /^(0|[1-9]\d{0,9})$/;

/**
 * Makes the sample rows list their values in column order, also as JSON. Objects list names such as `2019` first,
 * regardless of the order of the columns. The rows of the result cannot be passed to another thread.
 */
export function inColumnOrder<Head extends CsvHead>(head: Head): Head {
  const names = head.schema.fields.map(({ name }) => name);
  if (!names.some((name) => ARRAY_INDEX.test(name))) return head;
  return { ...head, sampleRows: head.sampleRows.map((row) => new Proxy(row, { ownKeys: () => names })) };
}
