import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';

const ajv = new Ajv2020({ strict: false });

export function checkSchemaRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  const { ingestionConfigSchema, supportedAuthStrategies, inboundAuthStrategies = [], taps } = connector;
  const schemas: [DefinitionPath, unknown][] = [
    [['ingestionConfigSchema'], ingestionConfigSchema],
    ...supportedAuthStrategies.flatMap(
      ({ configSchema, ingestionConfigSchema }, index): [DefinitionPath, unknown][] => [
        [['supportedAuthStrategies', index, 'configSchema'], configSchema],
        [['supportedAuthStrategies', index, 'ingestionConfigSchema'], ingestionConfigSchema],
      ],
    ),
    ...inboundAuthStrategies.map(({ configSchema }, index): [DefinitionPath, unknown] => [
      ['inboundAuthStrategies', index, 'configSchema'],
      configSchema,
    ]),
    ...taps.map(({ schema }, index): [DefinitionPath, unknown] => [['taps', index, 'schema'], schema]),
  ];
  return schemas.flatMap(([at, schema]) => {
    const fault = schema === undefined ? undefined : faultOf(schema as object);
    if (!fault) return [];
    return [{ path: [...path, ...at], rule: 'json-schema-is-valid', message: `${at.at(-1)}${fault}` }];
  });
}

function faultOf(schema: object): string | undefined {
  try {
    if (ajv.validateSchema(schema)) return undefined;
    const [{ instancePath = '', message = '' } = {}] = ajv.errors ?? [];
    return `${instancePath} ${message}`;
  } catch (error) {
    return `: ${(error as Error).message}`; // Ajv throws for an unknown `$schema`.
  }
}
