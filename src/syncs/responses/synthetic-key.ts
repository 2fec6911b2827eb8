import { hash } from 'node:crypto';
import { KEY_ALGORITHMS, type SyntheticPrimaryKey } from '../../catalog/model/response-extraction.js';
import type { VendorRecord } from '../tap-page.js';
import { failureOf } from './failure-table.js';
import { fieldValueOf, scalarTextOf } from './field-value.js';

/** Text of null and of missing fields. No value has this text, because backslashes in values are doubled. */
const NULL_TEXT = '\\N';

/**
 * Returns undefined if all key fields are null. `["a|b", "c"]` and `["a", "b|c"]` have different keys. Throws
 * `TapReadError` for an unsupported algorithm.
 */
export function syntheticKeyOf(definition: SyntheticPrimaryKey, record: VendorRecord): string | undefined {
  const { fields = [], algorithm, separator } = definition;
  const name = algorithm ?? 'sha1';
  if (!KEY_ALGORITHMS.includes(name))
    throw failureOf('invalid_definition', { message: `syntheticPrimaryKey.algorithm ${name} is not supported.` });
  const joint = separator ?? '|';
  const values = fields.map((field) => fieldValueOf(record, field) ?? null);
  if (values.every((value) => value === null)) return undefined;
  return hash(name, values.map((value) => (value === null ? NULL_TEXT : escaped(textOf(value), joint))).join(joint));
}

function escaped(text: string, separator: string): string {
  const doubled = text.replaceAll('\\', '\\\\');
  return separator === '' ? doubled : doubled.replaceAll(separator, `\\${separator}`);
}

function textOf(value: unknown): string {
  return scalarTextOf(value) ?? JSON.stringify(sorted(value));
}

/** Sorts members by name, because sources do not guarantee an order. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || scalarTextOf(value) !== undefined) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
