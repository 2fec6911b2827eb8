import type { Audited, Identified } from '../../kernel/entities/audited.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { Connector } from '../model/connector.js';
import type { ConnectorAuthStrategy } from '../model/connector-auth-strategy.js';
import type { ConnectorTap } from '../model/connector-tap.js';
import type { InboundAuthStrategy } from '../model/inbound-auth-strategy.js';
import type { PlatformVendor } from '../model/platform-vendor.js';
import type { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';

type Part<Entity> = Omit<Lean<Entity>, keyof Audited | 'definitionKey' | 'position' | 'connector'>;

export type StrategyDefinition = Part<ConnectorAuthStrategy> & { key: string };
export type InboundStrategyDefinition = Part<InboundAuthStrategy> & { key: string };
export type TapDefinition = Part<ConnectorTap>;
export type ConnectorDefinition = Omit<Part<Connector>, 'vendor' | 'slug'> & {
  key: string;
  supportedAuthStrategies: StrategyDefinition[];
  inboundAuthStrategies?: InboundStrategyDefinition[];
  taps: TapDefinition[];
};
export type GroupingDefinition = Omit<
  Lean<PlatformVendorGrouping>,
  keyof Identified | 'vendor' | 'parent' | 'isLeaf' | 'breadcrumbs' | 'groupingPath' | 'connectorId' | 'sortOrder'
> & { connector?: string; sortOrder?: number; groupings?: GroupingDefinition[] };
export type VendorDefinition = Omit<Lean<PlatformVendor>, keyof Identified> & {
  connectors?: ConnectorDefinition[];
  groupings: GroupingDefinition[];
};

/** Keys and list indices from the root of a definition to a node. */
export type DefinitionPath = readonly (string | number)[];

export interface DefinitionFault {
  path: DefinitionPath;
  rule: string;
  message: string;
}
