import type { ConnectorDefinition, TapDefinition } from '../../src/catalog/definitions/definition.js';
import type { DescribedOperation } from './described-operation.js';
import type { JsonNode } from './documents.js';
import { itemsOf, jsonTypesOf, propertiesOf } from './json-schema.js';

export interface Difference {
  readonly kind: 'path' | 'method' | 'parameter' | 'field' | 'type' | 'scope' | 'query';
  readonly message: string;
}

const NAME = /(?:"([^"]+)"|([A-Za-z_]\w*))(\[\*?\])?(?:\.|$)/y;

/**
 * Converts `data.items[*]` to `['data', 'items', '[]']`. Returns undefined for an expression that is not such a path.
 */
export function parseResponsePath(responsePath: string): string[] | undefined {
  const names: string[] = [];
  NAME.lastIndex = 0;
  while (NAME.lastIndex < responsePath.length) {
    const found = NAME.exec(responsePath);
    if (!found) return undefined;
    names.push((found[1] ?? found[2]) as string, ...(found[3] ? ['[]'] : []));
  }
  return names;
}

/**
 * Lists the fields of a tap that the description lacks or describes with a different type. Returns undefined if the
 * description does not list the fields of the response.
 */
export function compareRecords(
  connector: ConnectorDefinition,
  tap: TapDefinition,
  operation: DescribedOperation,
): Difference[] | undefined {
  const names = parseResponsePath(tap.responseExtraction.responsePath ?? '');
  if (!names || !operation.response) return undefined;
  const { resolve: follow } = operation;
  let place: JsonNode | undefined = operation.response;
  for (const name of names) {
    if (name === '[]') place = itemsOf(place, follow);
    else {
      const properties = propertiesOf(place, follow);
      if (!properties) return undefined;
      place = properties.get(name);
      if (!place) return [{ kind: 'field', message: `responsePath: the response has no ${name}` }];
    }
  }
  const record = withFlattenedFields(itemsOf(place, follow) ?? place, tap, operation);
  if (!propertiesOf(record, follow)) return undefined;
  const own = ownFields(connector, tap);
  const read = Object.entries((tap.schema.properties ?? {}) as JsonNode).filter(([name]) => !own.has(name));
  return compareFields({ properties: Object.fromEntries(read) }, record, operation, '');
}

/** Adds the members of flattened objects to the fields of the record. */
function withFlattenedFields(
  record: JsonNode | undefined,
  { responseExtraction }: TapDefinition,
  { resolve: follow }: DescribedOperation,
): JsonNode | undefined {
  const flattened = (responseExtraction.transform ?? []).flatMap(({ flatten }) =>
    flatten?.prefix === '' ? (propertiesOf(record, follow)?.get(flatten.field) ?? []) : [],
  );
  return record && flattened.length > 0 ? { anyOf: [record, ...flattened] } : record;
}

function ownFields({ traversal }: ConnectorDefinition, tap: TapDefinition): ReadonlySet<string> {
  const fromParent = (traversal?.edges ?? []).filter(({ to }) => to === tap.name);
  return new Set([
    ...fromParent.flatMap(({ parentContextFields = [] }) => parentContextFields.map(({ targetField }) => targetField)),
    ...(traversal?.staticFanouts ?? []).map(({ targetField = '' }) => targetField),
    ...(tap.responseExtraction.transform ?? []).flatMap(({ set = {} }) => Object.keys(set)),
    tap.responseExtraction.syntheticPrimaryKey?.outputField ?? '',
  ]);
}

function compareFields(
  defined: JsonNode,
  described: JsonNode | undefined,
  operation: DescribedOperation,
  prefix: string,
): Difference[] {
  const { resolve: follow } = operation;
  const properties = propertiesOf(described, follow);
  if (!properties) return [];
  return Object.entries((defined.properties ?? {}) as Readonly<Record<string, JsonNode>>).flatMap(([name, field]) => {
    const found = properties.get(name);
    if (!found) return [{ kind: 'field', message: `${prefix}${name} is not in the response` } as const];
    const [ours, theirs] = [jsonTypesOf(field, follow), jsonTypesOf(found, follow)];
    const fits = !ours || !theirs || [...ours].some((type) => type !== 'null' && theirs.has(type));
    if (!fits) {
      const message = `${prefix}${name} is ${[...ours].join(' or ')} in the definition and ${[...theirs].join(' or ')} in the response`;
      return [{ kind: 'type', message } as const];
    }
    return [
      ...compareFields(field, found, operation, `${prefix}${name}.`),
      ...(field.items
        ? compareFields(field.items as JsonNode, itemsOf(found, follow), operation, `${prefix}${name}[].`)
        : []),
    ];
  });
}
