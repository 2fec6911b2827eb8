import type { Connector } from '../catalog/model/connector.js';
import type { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import type { Lean } from '../kernel/reading/reader.js';

type Config = Readonly<Record<string, unknown>>;

/** All it takes to speak to a source as somebody. The secrets in `config` are plain, so it lives as long as one call. */
export interface Connection {
  readonly connector: Lean<Connector>;
  readonly strategy: Lean<ConnectorAuthStrategy>;
  readonly taps: readonly Lean<ConnectorTap>[];
  /** `authenticationConfig` with its secrets. */
  readonly config: Config;
  readonly ingestionConfig: Config;
}
