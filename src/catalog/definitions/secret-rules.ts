import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';

/** Below these keywords, a key `secret` is not the keyword `secret`, but a name or data. */
const NAME_KEYED_KEYWORDS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const DATA_KEYWORDS = ['enum', 'const', 'default', 'examples', 'required'];

/**
 * Allows `secret: true` only on top-level string fields of a strategy's config schema, because the service does not
 * encrypt any other value.
 */
export function checkSecretRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  const { ingestionConfigSchema, supportedAuthStrategies, inboundAuthStrategies = [], taps } = connector;
  const sealed: [DefinitionPath, unknown][] = [
    ...supportedAuthStrategies.map(({ configSchema }, index): [DefinitionPath, unknown] => [
      ['supportedAuthStrategies', index, 'configSchema'],
      configSchema,
    ]),
    ...inboundAuthStrategies.map(({ configSchema }, index): [DefinitionPath, unknown] => [
      ['inboundAuthStrategies', index, 'configSchema'],
      configSchema,
    ]),
  ];
  const open: [DefinitionPath, unknown][] = [
    [['ingestionConfigSchema'], ingestionConfigSchema],
    ...supportedAuthStrategies.map(({ ingestionConfigSchema: own }, index): [DefinitionPath, unknown] => [
      ['supportedAuthStrategies', index, 'ingestionConfigSchema'],
      own,
    ]),
    ...taps.map(({ schema }, index): [DefinitionPath, unknown] => [['taps', index, 'schema'], schema]),
  ];
  const misplaced = [
    ...sealed.flatMap(([at, schema]) => marksIn(schema, at).filter((mark) => !isSealed(mark, at.length))),
    ...open.flatMap(([at, schema]) => marksIn(schema, at)),
  ];
  return misplaced.map(({ at }) => ({
    path: [...path, ...at],
    rule: 'secret-is-sealed',
    message: "`secret: true` is allowed only on top-level fields of `type: string` in a strategy's configSchema",
  }));
}

interface Mark {
  readonly at: DefinitionPath;
  readonly schema: { readonly type?: unknown; readonly secret?: unknown };
}

/** `at` is the path of the keyword `secret`. `depth` is the length of the path of the config schema. */
function isSealed({ at, schema }: Mark, depth: number): boolean {
  return at.length === depth + 3 && at[depth] === 'properties' && schema.secret === true && schema.type === 'string';
}

/** Finds the keyword `secret`, unless its value is false. */
function marksIn(schema: unknown, at: DefinitionPath): Mark[] {
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'secret' && !Array.isArray(schema)) return value === false ? [] : [{ at: [...at, key], schema }];
    if (DATA_KEYWORDS.includes(key)) return [];
    const below = [...at, Array.isArray(schema) ? Number(key) : key];
    if (!NAME_KEYED_KEYWORDS.includes(key) || value === null) return marksIn(value, below);
    return Object.entries(value as object).flatMap(([name, named]) => marksIn(named, [...below, name]));
  });
}
