import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';

const FORMATS: readonly string[] = ['json', 'salesforce_composite'];
const MAX_SUB_REQUESTS = 100;

export function checkBatchRules({ taps }: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return taps.flatMap(({ name, transportOptions, perParentAuth, sync }, index) =>
    transportOptions.flatMap(({ restConfig }, option) => {
      if (!restConfig?.batch) return [];
      const { endpoint, format = 'json', maxSubRequests = 1 } = restConfig.batch;
      const isKnown = endpoint && FORMATS.includes(format) && maxSubRequests >= 1 && maxSubRequests <= MAX_SUB_REQUESTS;
      const isPlain = option === 0 && !perParentAuth && !sync.asyncQuery && !restConfig.bodyEncoding;
      const checks = [
        [
          isKnown,
          'batch-is-known',
          `batch requires endpoint; format must be ${FORMATS.join(' or ')}, and maxSubRequests must be 1 to ${MAX_SUB_REQUESTS}`,
        ],
        [
          isPlain,
          'batch-has-plain-requests',
          'batch is allowed only in the first transport option, and cannot be combined with perParentAuth, asyncQuery or bodyEncoding',
        ],
      ] as const;
      const at = [...path, 'taps', index, 'transportOptions', option, 'restConfig', 'batch'];
      return checks
        .filter(([isMet]) => !isMet)
        .map(([, rule, message]) => ({ path: at, rule, message: `${name}: ${message}` }));
    }),
  );
}
