import type { ConnectorDefinition, Fault, Path } from './definition.js';

/** Keywords whose keys are names, and keywords whose value is data. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const DATA = ['enum', 'const', 'default', 'examples', 'required'];

/**
 * `secret: true` stands where values are sealed by it: on texts at the top of what a strategy asks for. Anywhere else it would
 * promise what nobody keeps.
 */
export function secretRules(connector: ConnectorDefinition, path: Path): Fault[] {
  const { ingestionConfigSchema, supportedAuthStrategies, inboundAuthStrategies = [], taps } = connector;
  const sealed: [Path, unknown][] = [
    ...supportedAuthStrategies.map(({ configSchema }, index): [Path, unknown] => [
      ['supportedAuthStrategies', index, 'configSchema'],
      configSchema,
    ]),
    ...inboundAuthStrategies.map(({ configSchema }, index): [Path, unknown] => [
      ['inboundAuthStrategies', index, 'configSchema'],
      configSchema,
    ]),
  ];
  const open: [Path, unknown][] = [
    [['ingestionConfigSchema'], ingestionConfigSchema],
    ...supportedAuthStrategies.map(({ ingestionConfigSchema: own }, index): [Path, unknown] => [
      ['supportedAuthStrategies', index, 'ingestionConfigSchema'],
      own,
    ]),
    ...taps.map(({ schema }, index): [Path, unknown] => [['taps', index, 'schema'], schema]),
  ];
  const misplaced = [
    ...sealed.flatMap(([at, schema]) => marksIn(schema, at).filter((mark) => !isSealed(mark, at.length))),
    ...open.flatMap(([at, schema]) => marksIn(schema, at)),
  ];
  return misplaced.map(({ at }) => ({
    path: [...path, ...at],
    rule: 'secret-is-sealed',
    message: '`secret: true` may stand only on a field of `type: string` at the top of a strategy’s configSchema',
  }));
}

interface Mark {
  readonly at: Path;
  readonly schema: { readonly type?: unknown; readonly secret?: unknown };
}

/** Below `depth`, the length of the schema's own path, stand `properties`, the field and its `secret`. */
function isSealed({ at, schema }: Mark, depth: number): boolean {
  return at.length === depth + 3 && at[depth] === 'properties' && schema.secret === true && schema.type === 'string';
}

/** Where the keyword `secret` stands, which a property of that name is not. */
function marksIn(schema: unknown, at: Path): Mark[] {
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'secret' && !Array.isArray(schema)) return value === false ? [] : [{ at: [...at, key], schema }];
    if (DATA.includes(key)) return [];
    const below = [...at, Array.isArray(schema) ? Number(key) : key];
    if (!NAMED.includes(key) || value === null) return marksIn(value, below);
    return Object.entries(value as object).flatMap(([name, named]) => marksIn(named, [...below, name]));
  });
}
