import type { RecordFlattening, RecordTransform } from '../../catalog/model/response-extraction.js';
import { evaluateJmesPath, matchesJmesPath } from '../../kernel/formats/jmespath.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import { fieldValueOf } from './field-value.js';
import { rawNumberOf } from './parse-lossless-json.js';

/** `recordFilter` may refer to fields of the parent. */
export function isKept({ tap, parentFields }: TapReading, record: VendorRecord): boolean {
  const { recordFilter } = tap.responseExtraction;
  return !recordFilter || matchesJmesPath(recordFilter, { ...record, ...parentFields });
}

export function transformRecord({ tap, parentFields }: TapReading, record: VendorRecord): VendorRecord {
  const { transform = [] } = tap.responseExtraction;
  return (transform ?? []).reduce((changed, step) => applyStep(step, changed, parentFields), record);
}

function applyStep(
  { set, remove, rename, flatten }: RecordTransform,
  record: VendorRecord,
  parentFields: TapReading['parentFields'],
): VendorRecord {
  if (set) {
    const seen = { ...record, ...parentFields };
    const values = Object.entries(set).map(([field, path]) => [field, evaluateJmesPath(`${path}`, seen)]);
    return { ...record, ...Object.fromEntries(values) };
  }
  if (remove) return remove.reduce(withoutField, record);
  if (rename) return Object.entries(rename).reduce((changed, [from, to]) => renamed(changed, from, `${to}`), record);
  return flatten ? flattened(record, flatten) : record;
}

function renamed(record: VendorRecord, from: string, to: string): VendorRecord {
  const value = fieldValueOf(record, from);
  return value === undefined ? record : { ...withoutField(record, from), [to]: value };
}

/** `path` may refer to a nested field. */
function withoutField(record: VendorRecord, path: string): VendorRecord {
  if (Object.hasOwn(record, path)) {
    const { [path]: _, ...rest } = record;
    return rest;
  }
  const [name = '', ...names] = path.split('.');
  const inner = record[name];
  return names.length > 0 && isObject(inner) ? { ...record, [name]: withoutField(inner, names.join('.')) } : record;
}

/**
 * If the record already has a field with the new name of a member, the member stays in the nested object, so that no
 * value is lost.
 */
function flattened(record: VendorRecord, { field, prefix = `${field}_` }: RecordFlattening): VendorRecord {
  const inner = record[field];
  if (!isObject(inner)) return record;
  const { [field]: _, ...others } = record;
  const entries = Object.entries(inner);
  const isTaken = (name: string) => Object.hasOwn(others, `${prefix}${name}`);
  const moved = entries.filter(([name]) => !isTaken(name)).map(([name, value]) => [`${prefix}${name}`, value]);
  const kept = entries.filter(([name]) => isTaken(name));
  const rest = kept.length > 0 ? { [field]: Object.fromEntries(kept) } : {};
  return { ...others, ...rest, ...Object.fromEntries(moved) };
}

function isObject(value: unknown): value is VendorRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && rawNumberOf(value) === undefined;
}
