import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { FieldDiscovery } from '../../catalog/model/field-discovery.js';
import type { Lean } from '../../kernel/reading/reader.js';

type Settings = Pick<FieldDiscovery, 'maxFieldsLength' | 'repeatedFields'>;
type Tap = Pick<Lean<ConnectorTap>, 'responseExtraction' | 'sync' | 'tombstoneMarkerColumn'>;

/**
 * If the names do not fit into one list, each list starts with the repeated fields, which identify a record and its
 * version. Joined with commas, a list has at most `maxFieldsLength` characters. A list may be longer if it contains
 * only repeated fields and at most one further field.
 */
export function splitFields(names: readonly string[], settings: Settings, tap: Tap): string[][] {
  const { maxFieldsLength = Number.POSITIVE_INFINITY } = settings;
  if (lengthOf(names) <= maxFieldsLength) return [[...names]];
  const wanted = new Set(repeatedFieldsOf(settings, tap));
  const repeated = names.filter((name) => wanted.has(name));
  const lists: string[][] = [];
  for (const name of names.filter((other) => !wanted.has(other))) {
    const list = lists.at(-1);
    if (list && lengthOf([...list, name]) <= maxFieldsLength) list.push(name);
    else lists.push([...repeated, name]);
  }
  return lists.length > 0 ? lists : [repeated];
}

function repeatedFieldsOf({ repeatedFields = [] }: Settings, { responseExtraction, sync, ...tap }: Tap): string[] {
  const { primaryKey, syntheticPrimaryKey } = responseExtraction;
  const fields = [primaryKey, ...(syntheticPrimaryKey?.fields ?? []), sync.cursorField, tap.tombstoneMarkerColumn];
  return [...fields.flatMap((field) => field ?? []), ...repeatedFields];
}

function lengthOf(names: readonly string[]): number {
  return names.join(',').length;
}
