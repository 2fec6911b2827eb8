import { Connector } from '../../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../../catalog/model/platform-vendor-grouping.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { withEffectiveBaseUrl } from './effective-base-url.js';
import { type ConnectionConfig, type ConnectionConfigSchema, validateConfig } from './validate-config.js';

export interface ConnectionDefinition {
  readonly connector: Lean<Connector>;
  /** Undefined for an inbound connection. */
  readonly strategy: Lean<ConnectorAuthStrategy> | undefined;
  /** Undefined for an outbound connection, and until a user chooses a strategy. */
  readonly inbound?: Lean<InboundAuthStrategy> | undefined;
  readonly taps: readonly Lean<ConnectorTap>[];
}

/** At most one of the two properties is defined. */
export type ChosenStrategy = Pick<ConnectionDefinition, 'strategy' | 'inbound'>;

/**
 * `strategyId` may be the id of an inbound strategy. Throws NOT_FOUND if the connector or the strategy does not exist.
 * Callers must read the secrets after the definition. In the other order, a concurrent change of the base URL could
 * make a caller send secrets for the old host to the new host.
 */
export async function readConnectionDefinition(
  read: Reader,
  connectorId: string,
  strategyId: string | null | undefined,
): Promise<ConnectionDefinition> {
  const [defined, strategy, taps] = await Promise.all([
    read.byId(Connector, connectorId),
    strategyId ? read.byId(ConnectorAuthStrategy, strategyId) : undefined,
    read.many(ConnectorTap, 'connector', connectorId),
  ]);
  if (!defined) throw new AppError('NOT_FOUND', `connectorId "${connectorId}" does not exist.`);
  const connector = await withEffectiveBaseUrl(read, defined);
  if (!strategyId || strategy?.connector === connectorId) return { connector, strategy, taps };
  const inbound = await read.byId(InboundAuthStrategy, strategyId);
  if (inbound?.connector !== connectorId)
    throw new AppError('NOT_FOUND', `authenticationStrategyId "${strategyId}" is not a strategy of the connector.`);
  return { connector, strategy: undefined, inbound, taps };
}

/**
 * Throws NOT_FOUND if the connector does not exist, if the grouping does not offer it, or if the strategy belongs to
 * another connector. Throws BAD_REQUEST if the caller chooses no strategy although the connector has outbound
 * strategies. Throws CONFLICT if the connector is a draft, in review or archived. A user can choose the strategy of an
 * inbound connection later.
 */
export async function readOfferedDefinition(
  read: Reader,
  choice: { connectorId: string; groupingId: string; authenticationStrategyId?: string | null },
): Promise<ConnectionDefinition> {
  const { connectorId, groupingId, authenticationStrategyId } = choice;
  const definition = await readConnectionDefinition(read, connectorId, authenticationStrategyId);
  const grouping = await read.byId(PlatformVendorGrouping, groupingId);
  if (grouping?.connector !== connectorId)
    throw new AppError('NOT_FOUND', `groupingId "${groupingId}" is not a grouping that offers the connector.`);
  requireReleasedConnector(definition.connector);
  if (definition.connector.releaseStatus === 'archived')
    throw new AppError('CONFLICT', 'The connector is archived and accepts no new connections.');
  if (!authenticationStrategyId) await requireNoStrategies(read, connectorId);
  return definition;
}

/**
 * Throws CONFLICT for a connector that is a draft or in review. Accepts an archived connector, because its existing
 * connections may still sign in.
 */
export function requireReleasedConnector({ releaseStatus }: Lean<Connector>): void {
  if (releaseStatus !== 'draft' && releaseStatus !== 'in_review') return;
  const state = releaseStatus === 'draft' ? 'a draft' : 'in review';
  throw new AppError(
    'CONFLICT',
    `The connector is ${state} and accepts no connections and no sign-ins until it is published.`,
  );
}

async function requireNoStrategies(read: Reader, connectorId: string): Promise<void> {
  const strategies = await read.many(ConnectorAuthStrategy, 'connector', connectorId);
  if (strategies.length)
    throw new AppError(
      'BAD_REQUEST',
      "authenticationStrategyId is required. Send the id of one of the connector's strategies.",
    );
}

export function validateIngestionConfig(
  { connector, strategy }: ConnectionDefinition,
  given: ConnectionConfig | null | undefined,
): ConnectionConfig {
  const schema: ConnectionConfigSchema = strategy?.ingestionConfigSchema ??
    connector.ingestionConfigSchema ?? { type: 'object', properties: {} };
  return validateConfig('ingestionConfig', schema, given ?? {});
}
