import { Connector } from '../../catalog/model/connector.js';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../../catalog/model/platform-vendor-grouping.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { withEffectiveBaseUrl } from './effective-base-url.js';
import { type ConnectionConfig, type ConnectionConfigSchema, validateConfig } from './validate-config.js';

/** What a connection is made of on the side of the catalog. */
export interface ConnectionDefinition {
  readonly connector: Lean<Connector>;
  /** How the connection authenticates; none where it is sent to. */
  readonly strategy: Lean<ConnectorAuthStrategy> | undefined;
  /** How those who send to it are verified, where that was chosen. */
  readonly inbound?: Lean<InboundAuthStrategy> | undefined;
  readonly taps: readonly Lean<ConnectorTap>[];
}

/** Which of the two a config is for. */
export type ChosenStrategy = Pick<ConnectionDefinition, 'strategy' | 'inbound'>;

/** `strategyId` may be that of an inbound strategy. Secrets are read after this, or they could be meant for another base URL. */
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
    throw new AppError('NOT_FOUND', `authenticationStrategyId "${strategyId}" is no strategy of the connector.`);
  return { connector, strategy: undefined, inbound, taps };
}

/**
 * For a new connection: the connector is offered, by this grouping, and the strategy is one of its own. One that is sent to may get its
 * strategy later, and takes nothing until then.
 */
export async function readOfferedDefinition(
  read: Reader,
  choice: { connectorId: string; groupingId: string; authenticationStrategyId?: string | null },
): Promise<ConnectionDefinition> {
  const { connectorId, groupingId, authenticationStrategyId } = choice;
  const definition = await readConnectionDefinition(read, connectorId, authenticationStrategyId);
  const grouping = await read.byId(PlatformVendorGrouping, groupingId);
  if (grouping?.connector !== connectorId)
    throw new AppError('NOT_FOUND', `groupingId "${groupingId}" is no grouping that offers the connector.`);
  requireReleasedConnector(definition.connector);
  if (definition.connector.releaseStatus === 'archived')
    throw new AppError('CONFLICT', 'The connector is archived: it takes no new connections.');
  if (!authenticationStrategyId) await requireNoStrategies(read, connectorId);
  return definition;
}

/** Throws CONFLICT. An archived connector takes no new connections, but those that it has may sign in again. */
export function requireReleasedConnector({ releaseStatus }: Lean<Connector>): void {
  if (releaseStatus !== 'draft' && releaseStatus !== 'in_review') return;
  const state = releaseStatus === 'draft' ? 'a draft' : 'in review';
  throw new AppError('CONFLICT', `The connector is ${state}: it takes no connections until it is published.`);
}

async function requireNoStrategies(read: Reader, connectorId: string): Promise<void> {
  const strategies = await read.many(ConnectorAuthStrategy, 'connector', connectorId);
  if (strategies.length)
    throw new AppError('BAD_REQUEST', "authenticationStrategyId is missing: one of the connector's strategies.");
}

/** The ingestion config as the strategy's schema, else the connector's, asks for it. */
export function validateIngestionConfig(
  { connector, strategy }: ConnectionDefinition,
  given: ConnectionConfig | null | undefined,
): ConnectionConfig {
  const schema: ConnectionConfigSchema = strategy?.ingestionConfigSchema ??
    connector.ingestionConfigSchema ?? { type: 'object', properties: {} };
  return validateConfig('ingestionConfig', schema, given ?? {});
}
