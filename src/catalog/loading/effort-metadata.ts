import type { ConnectorDefinition } from '../definitions/definition.js';

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
    childTaps: pulled.filter(({ name }) => children.has(name)).length,
  };
}
