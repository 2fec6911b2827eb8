import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { branchesOf, itemsOf, propertiesOf } from '../../catalog-compare/json-schema.js';
import { normalized } from '../names.js';

export interface RecordList {
  /** Names on the path from the response to the list. Empty if the response is the list. */
  readonly names: readonly string[];
  readonly record: JsonNode;
  readonly isAmbiguous: boolean;
}

/** Usual names of the list of records, in order of preference. */
const LIST_NAMES = ['data', 'items', 'results', 'records', 'values', 'entries', 'elements', 'objects', 'rows', 'list'];
const WRAPPER_NAMES = [...LIST_NAMES, 'response', 'result', 'content', 'body', 'embedded'];
const MAX_WRAPPERS = 2;

/**
 * Finds the list of records in a response. `objectName` is the last fixed segment of the path, such as `orders`.
 * Returns undefined if the response is one record.
 */
export function findRecordList(
  response: JsonNode | undefined,
  objectName: string,
  resolve: ResolveReference,
  wrappers = 0,
): RecordList | undefined {
  const ofRoot = recordOf(response, resolve);
  if (ofRoot) return { names: [], record: ofRoot, isAmbiguous: false };
  const properties = propertiesOf(response, resolve);
  if (!properties) return undefined;
  const lists = [...properties].flatMap(([name, schema]) => {
    const record = recordOf(schema, resolve);
    return record ? [{ name, record }] : [];
  });
  const rank = (name: string): number => {
    if (normalized(name) === normalized(objectName)) return -1;
    const known = LIST_NAMES.indexOf(normalized(name));
    return known === -1 ? LIST_NAMES.length : known;
  };
  // A response with an `id` is one record, so its lists with unusual names are fields of the record.
  const usable = lists.filter(({ name }) => !properties.has('id') || rank(name) < LIST_NAMES.length);
  const [first, ...others] = usable.toSorted((a, b) => rank(a.name) - rank(b.name));
  if (first)
    return {
      names: [first.name],
      record: first.record,
      isAmbiguous: others.length > 0 && rank(first.name) === LIST_NAMES.length,
    };
  if (wrappers === MAX_WRAPPERS) return undefined;
  for (const [name, schema] of properties) {
    if (!WRAPPER_NAMES.includes(normalized(name))) continue;
    const found = findRecordList(schema, objectName, resolve, wrappers + 1);
    if (found) return { ...found, names: [name, ...found.names] };
  }
  return undefined;
}

/** Items without a type can be objects. */
function recordOf(schema: JsonNode | undefined, resolve: ResolveReference): JsonNode | undefined {
  const branches = branchesOf(schema, resolve);
  if (!branches.some(({ type, items }) => items !== undefined || [type].flat().includes('array'))) return undefined;
  const record = itemsOf(schema, resolve) ?? {};
  const types = branchesOf(record, resolve).flatMap(({ type }) => (type === undefined ? [] : [type].flat()));
  return types.length === 0 || types.includes('object') ? record : undefined;
}
