import { VERSION } from '../../kernel/project-root.js';
import type { ConnectorDefinition, GroupingDefinition, VendorDefinition } from '../definitions/definition.js';

/** Values that a grouping takes from its vendor and its connector, unless its definition sets them. */
export function derivedGroupingValues(
  vendor: VendorDefinition,
  { connector: key }: GroupingDefinition,
): Partial<GroupingDefinition> {
  const connector = vendor.connectors?.find((other) => other.key === key);
  const { logo } = vendor;
  if (!connector) return { platformVersion: VERSION, ...(logo && { logo }) };
  const { setupDocumentation: docs, apiVersion } = connector;
  return {
    ...(logo && { logo }),
    ...(docs && { docs }),
    ...(apiVersion && { externalVersion: apiVersion }),
    platformVersion: VERSION,
  };
}

/** Figures from which a client can estimate the effort to set up and to read a connector. */
export function effortMetadataOf({
  supportedAuthStrategies,
  taps,
  traversal,
  setupDocumentation = '',
}: ConnectorDefinition): Record<string, unknown> {
  const pulled = taps.filter(({ sync }) => sync.mode !== 'push');
  const children = new Set(traversal?.edges?.map(({ to }) => to));
  return {
    setupSteps: setupDocumentation.match(/^\d+\. /gm)?.length ?? 0,
    requiresSignIn:
      supportedAuthStrategies.length > 0 &&
      supportedAuthStrategies.every(({ type }) => type === 'oauth2_auth_code_pkce'),
    pushedTaps: taps.length - pulled.length,
    incrementalTaps: pulled.filter(({ sync }) => sync.mode === 'incremental').length,
    fullReadTaps: pulled.filter(({ sync }) => sync.mode === 'full').length,
    // Taps that send requests for each parent record.
    childTaps: pulled.filter(({ name }) => children.has(name)).length,
  };
}
