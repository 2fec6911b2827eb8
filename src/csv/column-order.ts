import type { CsvHead } from './model/data-schema.js';

/** Matches a property name that JavaScript moves before other names. */
const ARRAY_INDEX = /^(0|[1-9]\d{0,9})$/;

/**
 * Changes the sample rows so that they list their values in column order, also as JSON. JavaScript objects list names
 * such as `2019` first, regardless of the column order. The rows of the result are proxies, so code cannot pass them to
 * another thread.
 */
export function inColumnOrder<Head extends CsvHead>(head: Head): Head {
  const names = head.schema.fields.map(({ name }) => name);
  if (!names.some((name) => ARRAY_INDEX.test(name))) return head;
  return { ...head, sampleRows: head.sampleRows.map((row) => new Proxy(row, { ownKeys: () => names })) };
}
