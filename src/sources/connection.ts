import type { Connector } from '../catalog/model/connector.js';
import type { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import type { Lean } from '../kernel/reading/reader.js';

type Config = Readonly<Record<string, unknown>>;

/** Contains decrypted secrets, so the service must not cache a `Connection`. */
export interface Connection {
  readonly connector: Lean<Connector>;
  readonly strategy: Lean<ConnectorAuthStrategy>;
  readonly taps: readonly Lean<ConnectorTap>[];
  /** `authenticationConfig`, including its secrets. */
  readonly config: Config;
  readonly ingestionConfig: Config;
}
