import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { propertiesOf } from '../../catalog-compare/json-schema.js';
import { normalized } from '../names.js';

/** Normalized names of objects that usually contain the paging information of a response. */
const HOLDERS = [
  ...['meta', 'metadata', 'pagination', 'paging', 'page', 'pageinfo', 'pages', 'responsemetadata', 'links'],
  ...['cursors', 'cursor', 'next'],
];
const MAX_LEVELS = 3;

export interface FoundProperty {
  readonly names: readonly string[];
  readonly schema: JsonNode;
}

/** Searches the response and its paging objects. `wanted` contains normalized names in order of preference. */
export function findProperty(
  response: JsonNode | undefined,
  wanted: readonly string[],
  resolve: ResolveReference,
): FoundProperty | undefined {
  const found = propertiesIn(response, resolve, [], MAX_LEVELS).filter(({ names }) =>
    wanted.includes(normalized(names.at(-1) as string)),
  );
  const rank = ({ names }: FoundProperty): number => wanted.indexOf(normalized(names.at(-1) as string));
  return found.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Returns the properties of the schema and of its paging objects, except properties that are objects. */
function propertiesIn(
  schema: JsonNode | undefined,
  resolve: ResolveReference,
  parents: readonly string[],
  levels: number,
): FoundProperty[] {
  return [...(propertiesOf(schema, resolve) ?? [])].flatMap(([name, property]) => {
    const names = [...parents, name];
    if (!propertiesOf(property, resolve)) return [{ names, schema: property }];
    const isHolder = levels > 1 && HOLDERS.includes(normalized(name));
    return isHolder ? propertiesIn(property, resolve, names, levels - 1) : [];
  });
}
