import type { TapDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { bearerVendorDefinition, FULL_TAP } from '../support/bearer-vendor-definition.js';

/** All connections share the rate limit. */
export function vendorDefinition(origin: string, requestsPerSecond: number): VendorDefinition {
  return bearerVendorDefinition({
    slug: 'bench',
    name: 'Bench',
    origin,
    timeoutSeconds: 120,
    taps: [
      tap('records', true, { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'cursor' } }),
      tap('page', false, { type: 'none' }),
    ],
    connector: { concurrencyTagTemplate: '{connector}', rateLimits: { requestsPerSecond } },
  });
}

type Pagination = TapDefinition['transportOptions'][number]['pagination'];

function tap(name: string, enabledByDefault: boolean, pagination: Pagination): TapDefinition {
  return {
    ...FULL_TAP,
    name,
    enabledByDefault,
    responseExtraction: { primaryKey: 'id', responsePath: 'items' },
    schema: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        amount: { type: 'number' },
        at: { type: 'string', format: 'date-time' },
        email: { type: 'string' },
        active: { type: 'boolean' },
        tags: { type: 'array' },
      },
    },
    transportOptions: [
      { apiType: 'rest', priority: 1, pagination, restConfig: { endpoint: `/${name}`, method: 'GET' } },
    ],
  };
}
