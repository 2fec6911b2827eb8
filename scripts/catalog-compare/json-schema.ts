import type { JsonNode, ResolveReference } from './documents.js';

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

/** Returns the schema, its composed schemas and its subtypes. Returns each once, because schemas can be recursive. */
export function branchesOf(
  schema: JsonNode | undefined,
  resolve: ResolveReference,
  found = new Set<JsonNode>(),
): readonly JsonNode[] {
  const node = resolve(schema);
  if (!node || found.has(node)) return [];
  const isRoot = found.size === 0;
  found.add(node);
  const composed = COMPOSITIONS.flatMap((name) => (Array.isArray(node[name]) ? (node[name] as JsonNode[]) : []));
  const { mapping } = (node.discriminator ?? {}) as { mapping?: Readonly<Record<string, string>> };
  const subtypes = isRoot ? Object.values(mapping ?? {}).map(($ref) => ({ $ref })) : [];
  for (const branch of [...composed, ...subtypes]) branchesOf(branch, resolve, found);
  return [...found];
}

/** Returns undefined if the schema lists no properties. */
export function propertiesOf(
  schema: JsonNode | undefined,
  resolve: ResolveReference,
): ReadonlyMap<string, JsonNode> | undefined {
  const properties = branchesOf(schema, resolve).flatMap((branch) =>
    Object.entries((branch.properties ?? {}) as Readonly<Record<string, JsonNode>>),
  );
  if (properties.length === 0) return undefined;
  const found = new Map<string, JsonNode>();
  for (const [name, property] of properties) {
    const other = found.get(name);
    found.set(name, other ? { anyOf: [other, property] } : property);
  }
  return found;
}

export function itemsOf(schema: JsonNode | undefined, resolve: ResolveReference): JsonNode | undefined {
  const items = branchesOf(schema, resolve).flatMap(({ items }) =>
    items === undefined ? [] : ([items].flat() as JsonNode[]),
  );
  return items.length > 1 ? { anyOf: items } : items[0];
}

/** Treats `integer` as `number`. Returns undefined if the schema does not restrict the type. */
export function jsonTypesOf(schema: JsonNode | undefined, resolve: ResolveReference): ReadonlySet<string> | undefined {
  const types = branchesOf(schema, resolve).flatMap(({ type }) => (type === undefined ? [] : [type].flat()));
  if (types.length === 0 || types.includes('any')) return undefined;
  return new Set(types.map((type) => (type === 'integer' ? 'number' : String(type))));
}
