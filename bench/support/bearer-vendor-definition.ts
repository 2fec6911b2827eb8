import type { ConnectorDefinition, TapDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';

interface BearerVendor {
  /** Slug of the vendor and of its grouping, and key of its connector. */
  readonly slug: string;
  readonly name: string;
  readonly origin: string;
  readonly timeoutSeconds: number;
  readonly taps: TapDefinition[];
  readonly connector?: Partial<ConnectorDefinition>;
}

export function bearerVendorDefinition(vendor: BearerVendor): VendorDefinition {
  const { slug, name, origin, timeoutSeconds, taps, connector } = vendor;
  return {
    slug,
    name,
    sortOrder: 1,
    connectors: [
      {
        key: slug,
        name,
        releaseStatus: 'published',
        integrationClass: 'api',
        protocolType: 'rest',
        defaultBaseUrl: origin,
        timeoutSeconds,
        supportedAuthStrategies: [
          {
            key: 'token',
            type: 'bearer',
            configSchema: {
              type: 'object',
              additionalProperties: false,
              properties: { token: { type: 'string', secret: true } },
              required: ['token'],
            },
            bearerConfig: { tokenField: 'token' },
            verification: { url: '/me' },
          },
        ],
        taps,
        ...connector,
      },
    ],
    groupings: [{ slug, name, connector: slug, releaseStage: 'ga' }],
  };
}

/** Properties of a tap with full reads, except its schema and its request. */
export const FULL_TAP = { identityDirectory: false, sync: { mode: 'full' } } as const;
