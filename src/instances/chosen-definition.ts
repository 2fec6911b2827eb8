import { Connector } from '../catalog/connector.js';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { ConnectorTap } from '../catalog/connector-tap.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import { PlatformVendorGrouping } from '../catalog/platform-vendor-grouping.js';
import { AppError } from '../kernel/errors.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { type Config, type ConfigSchema, checkConfig } from './check-config.js';
import { withBaseUrl } from './effective-base-url.js';

/** What a connection is made of on the side of the catalog. */
export interface Definition {
  readonly connector: Lean<Connector>;
  /** How the connection authenticates; none where it is sent to. */
  readonly strategy: Lean<ConnectorAuthStrategy> | undefined;
  /** How those who send to it are verified, where that was chosen. */
  readonly inbound?: Lean<InboundAuthStrategy> | undefined;
  readonly taps: readonly Lean<ConnectorTap>[];
}

/** Which of the two a config is for. */
export type ChosenStrategy = Pick<Definition, 'strategy' | 'inbound'>;

/** `strategyId` may be that of an inbound strategy. Secrets are read after this, or they could be meant for another base URL. */
export async function readDefinition(
  read: Reader,
  connectorId: string,
  strategyId: string | null | undefined,
): Promise<Definition> {
  const [defined, strategy, taps] = await Promise.all([
    read.byId(Connector, connectorId),
    strategyId ? read.byId(ConnectorAuthStrategy, strategyId) : undefined,
    read.many(ConnectorTap, 'connector', connectorId),
  ]);
  if (!defined) throw new AppError('NOT_FOUND', `connectorId "${connectorId}" does not exist.`);
  const connector = await withBaseUrl(read, defined);
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
export async function chooseDefinition(
  read: Reader,
  choice: { connectorId: string; groupingId: string; authenticationStrategyId?: string | null },
): Promise<Definition> {
  const { connectorId, groupingId, authenticationStrategyId } = choice;
  const definition = await readDefinition(read, connectorId, authenticationStrategyId);
  const grouping = await read.byId(PlatformVendorGrouping, groupingId);
  if (grouping?.connector !== connectorId)
    throw new AppError('NOT_FOUND', `groupingId "${groupingId}" is no grouping that offers the connector.`);
  requireReleased(definition.connector);
  if (definition.connector.releaseStatus === 'archived')
    throw new AppError('CONFLICT', 'The connector is archived: it takes no new connections.');
  if (!authenticationStrategyId) await requireNoStrategies(read, connectorId);
  return definition;
}

/** Throws CONFLICT. An archived connector takes no new connections, but those that it has may sign in again. */
export function requireReleased({ releaseStatus }: Lean<Connector>): void {
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
export function checkIngestionConfig({ connector, strategy }: Definition, given: Config | null | undefined): Config {
  const schema: ConfigSchema = strategy?.ingestionConfigSchema ??
    connector.ingestionConfigSchema ?? { type: 'object', properties: {} };
  return checkConfig('ingestionConfig', schema, given ?? {});
}
