import type {
  ConnectorDefinition,
  StrategyDefinition,
  TapDefinition,
} from '../../../src/catalog/definitions/definition.js';
import type { Connection } from '../../../src/sources/connection.js';

export interface ConnectionFields {
  readonly connector?: Partial<ConnectorDefinition>;
  readonly strategy?: Partial<StrategyDefinition>;
  readonly taps?: readonly Partial<TapDefinition>[];
  readonly config?: Connection['config'];
  readonly ingestionConfig?: Connection['ingestionConfig'];
}

/** Fields whose name matches `SECRETS` are secret. */
export function aConnection(fields: ConnectionFields = {}): Connection {
  const { connector, strategy, taps = [], config = {}, ingestionConfig = {} } = fields;
  return {
    connector: { defaultBaseUrl: 'https://api.acme.test', ...connector },
    strategy: { type: 'bearer', configSchema: schemaOf(config), ...strategy },
    taps,
    config,
    ingestionConfig,
  } as unknown as Connection;
}

const SECRETS = /secret|key$|token|password/i;

function schemaOf(config: Connection['config']): Record<string, unknown> {
  const fields = Object.keys(config).map((name) => [
    name,
    { type: 'string', ...(SECRETS.test(name) && { secret: true }) },
  ]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(fields) };
}
