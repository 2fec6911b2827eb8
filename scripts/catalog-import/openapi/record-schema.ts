import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { branchesOf, itemsOf, propertiesOf } from '../../catalog-compare/json-schema.js';

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];
const FORMATS = ['date-time', 'date'];

/** Returns a JSON Schema with the types of the fields and of list items. */
export function recordSchema(record: JsonNode, resolve: ResolveReference): Record<string, unknown> {
  const properties = [...(propertiesOf(record, resolve) ?? [])];
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, fieldSchema(schema, resolve)])),
  };
}

function fieldSchema(schema: JsonNode, resolve: ResolveReference): JsonNode {
  const branches = branchesOf(schema, resolve);
  const types = typesOf(branches);
  const format = branches.map((branch) => branch.format).find((one) => FORMATS.includes(String(one)));
  const items = types.includes('array') ? itemTypes(itemsOf(schema, resolve), resolve) : [];
  return {
    ...typeKeyword(types),
    ...(format !== undefined && types.includes('string') && { format }),
    ...(items.length > 0 && { items: typeKeyword(items) }),
  };
}

function itemTypes(items: JsonNode | undefined, resolve: ResolveReference): string[] {
  return typesOf(branchesOf(items, resolve));
}

/** Nullable values have the additional type `null`. */
function typesOf(branches: readonly JsonNode[]): string[] {
  const given = branches.flatMap(({ type, properties }) =>
    type === undefined ? (properties === undefined ? [] : ['object']) : [type].flat(),
  );
  const types = given.map((type) => (type === 'file' ? 'string' : String(type))).filter((type) => TYPES.includes(type));
  const isNullable = branches.some((branch) => branch.nullable === true || branch['x-nullable'] === true);
  return [...new Set([...types, ...(isNullable && types.length > 0 ? ['null'] : [])])];
}

function typeKeyword(types: readonly string[]): { type?: unknown } {
  if (types.length === 0) return {};
  return { type: types.length === 1 ? types[0] : types };
}
