import type { CsvHead } from './model/data-schema.js';

const ARRAY_INDEX = /^(0|[1-9]\d{0,9})$/;

/**
 * JavaScript objects list names such as `2019` first. If a column has such a name, this function wraps each sample row
 * in a proxy that lists the values in column order, also as JSON. A proxy cannot be passed to another thread.
 */
export function inColumnOrder<Head extends CsvHead>(head: Head): Head {
  const names = head.schema.fields.map(({ name }) => name);
  if (!names.some((name) => ARRAY_INDEX.test(name))) return head;
  return { ...head, sampleRows: head.sampleRows.map((row) => new Proxy(row, { ownKeys: () => names })) };
}
