import type { ConnectorDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import type { DefinitionSource } from '../../src/catalog/model/definition-source.js';

/** For files without a base URL. */
export const PLACEHOLDER_BASE_URL = 'https://api.example.com';

/** Failure rules of each draft. Imported files do not contain such rules. */
export const FAILURES = [
  { status: 401, errorCode: 'auth_failed' },
  { status: 403, errorCode: 'insufficient_permissions' },
] as const;

export function sourceOf(file: string): DefinitionSource[] {
  return [{ document: file, checkedAt: new Date().toISOString().slice(0, 10) }];
}

export function draftVendor(
  slug: string,
  name: string,
  connector: Omit<ConnectorDefinition, 'key' | 'name' | 'releaseStatus'>,
): VendorDefinition {
  return {
    slug,
    name,
    sortOrder: 1000,
    connectors: [
      {
        key: 'rest-api',
        name: `${name} API`,
        integrationClass: 'api',
        protocolType: 'rest',
        releaseStatus: 'draft',
        ...connector,
      },
    ],
    groupings: [{ slug: 'api', name: `${name} API`, releaseStage: 'beta', connector: 'rest-api' }],
  };
}
