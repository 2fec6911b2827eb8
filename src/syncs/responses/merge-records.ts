import type { VendorRecord } from '../tap-page.js';
import { rawNumberOf } from './parse-lossless-json.js';

interface MergeOptions {
  /** Whether lists of `other` replace lists of `one`. By default, both lists are joined. */
  readonly replacesLists?: boolean;
}

/** Joins lists, merges objects, and replaces all other values of `one` by values of `other` that are not null. */
export function mergeRecords(one: VendorRecord, other: VendorRecord, options: MergeOptions = {}): VendorRecord {
  const merged = Object.entries(other).map(([name, value]) => [
    name,
    Object.hasOwn(one, name) ? mergeValues(one[name], value, options) : value,
  ]);
  return { ...one, ...Object.fromEntries(merged) };
}

function mergeValues(one: unknown, other: unknown, options: MergeOptions): unknown {
  if (other === null || other === undefined) return one;
  if (Array.isArray(one) && Array.isArray(other) && !options.replacesLists) return [...one, ...other];
  return isObject(one) && isObject(other) ? mergeRecords(one, other, options) : other;
}

function isObject(value: unknown): value is VendorRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && rawNumberOf(value) === undefined;
}
