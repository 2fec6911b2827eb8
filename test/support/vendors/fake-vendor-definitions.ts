import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectorDefinition, TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { aConfigSchema, aConnector, aGrouping, aTap, aVendor, yamlOf } from '../catalog/definition-builders.js';
import { aBearerStrategy, aCodeStrategy, clientCredentialsStrategies, vendorStrategies } from './vendor-strategies.js';

export const VENDOR_SLUG = 'loopback';

interface DefinitionOptions {
  /** Origin of the authorization server for `oauth2-auth-code-pkce`. */
  readonly issuer?: string;
  /**
   * Origin of a hostile authorization server (mix-up attack). If set, the definition has a connector `hostile` that
   * uses this server.
   */
  readonly hostileIssuer?: string;
  /** Additional connectors. Each one has a grouping with the connector's key as the slug. */
  readonly more?: readonly ConnectorDefinition[];
}

/**
 * Returns the text of `loopback.yaml`. The file has one connector for each of the 13 authentication methods, and
 * connectors with special URLs or limits. The key of a method's connector is the type of the method in kebab-case. All
 * connectors except `subdomain` use plain HTTP.
 */
export function fakeVendorDefinitions(
  origin: string,
  { issuer = 'http://127.0.0.1:1', hostileIssuer, more = [] }: DefinitionOptions = {},
): string {
  const connectors = [
    ...Object.entries(vendorStrategies(origin, issuer)).map(([key, supportedAuthStrategies]) =>
      aFakeVendorConnector(key, { defaultBaseUrl: `${origin}/${key}`, supportedAuthStrategies }),
    ),
    hostByUser(),
    subdomainByUser(),
    addressByTokenReply(origin),
    aFakeVendorConnector('limited', {
      ...{ defaultBaseUrl: `${origin}/bearer`, supportedAuthStrategies: [aBearerStrategy()] },
      rateLimits: {
        ...{ requestsPerSecond: 2, maxConcurrent: 1, resetHeader: 'X-RateLimit-Reset' },
        retry: { maxRetries: 2, backoffMultiplier: 2, maxRetryTimeSeconds: 10, respectRetryAfter: true },
      },
      concurrencyTagTemplate: 'loopback:{workspace}:{connector}',
    }),
    ...more,
  ];
  if (hostileIssuer) {
    const supportedAuthStrategies = [aCodeStrategy(hostileIssuer, 'client_secret_post')];
    connectors.push(
      aFakeVendorConnector('hostile', { defaultBaseUrl: `${hostileIssuer}/api`, supportedAuthStrategies }),
    );
  }
  const groupings = connectors.map(({ key, name }) => aGrouping({ slug: key, name, connector: key }));
  return yamlOf(aVendor({ slug: VENDOR_SLUG, name: 'Loopback', connectors, groupings }));
}

/** Creates a folder for `CATALOG_DIR` that contains the definition. */
export async function aCatalogFolder(definition: string): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-catalog-'));
  await writeFile(join(folder, `${VENDOR_SLUG}.yaml`), definition);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export function aFakeVendorConnector(key: string, own: Partial<ConnectorDefinition>): ConnectorDefinition {
  return aConnector({
    ...{ key, name: `Loopback ${key}`, timeoutSeconds: 5, taps: [records(), comments(), objects()] },
    rateLimits: { requestsPerSecond: 1_000 }, // With the default rate, tests of syncs would wait.
    fieldDiscovery: { objects: { tap: 'objects', endpoint: '/objects', listPath: 'objects', labelKey: 'label' } },
    traversal: {
      rootTaps: ['records', 'objects'],
      edges: [
        {
          ...{ from: 'records', to: 'comments', parentKeyField: 'id', templateVariable: 'recordId', fanOutLimit: 100 },
          parentContextFields: [{ sourceField: 'id', targetField: 'record_id' }],
          parentEligibility: [{ field: 'comments', operator: 'gt', threshold: 0 }],
        },
      ],
    },
    ...own,
  });
}

function records(): TapDefinition {
  const pagination = {
    type: 'offset',
    offset: { offsetParam: 'offset', limitParam: 'limit', defaultLimit: 10, totalPath: 'total' },
  } as const;
  return aTap({
    ...{ name: 'records', responseExtraction: { primaryKey: 'id', responsePath: 'data' } },
    schema: {
      type: 'object',
      properties: { id: { type: 'integer' }, title: { type: 'string' }, comments: { type: 'integer' } },
    },
    sync: { mode: 'full', scopes: ['records:read'] },
    transportOptions: [{ apiType: 'rest', pagination, restConfig: { endpoint: '/records' } }],
  });
}

function comments(): TapDefinition {
  return aTap({
    ...{ name: 'comments', responseExtraction: { primaryKey: 'id', responsePath: 'data' } },
    schema: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
    transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/records/{recordId}/comments' } }],
  });
}

/** A sync reads this tap once per object that the user has added to the connection. */
function objects(): TapDefinition {
  return aTap({
    ...{ name: 'objects', responseExtraction: { primaryKey: 'id', responsePath: 'data' } },
    schema: { type: 'object', properties: { id: { type: 'integer' } } },
    transportOptions: [
      {
        apiType: 'rest',
        restConfig: { endpoint: '/objects/{objectName}', queryParams: { select: 'all of {objectName}' } },
      },
    ],
  });
}

/** The user enters a host such as `127.0.0.1:4711`. */
function hostByUser(): ConnectorDefinition {
  return aFakeVendorConnector('host', {
    defaultBaseUrl: undefined,
    addressingConfig: {
      ...{ scheme: 'http', host: '{host}', basePath: '/bearer' },
      variables: [{ name: 'host', source: 'user_input', required: true }],
    },
    ingestionConfigSchema: { ...aConfigSchema({ host: { type: 'string', title: 'Host' } }), required: ['host'] },
    supportedAuthStrategies: [aBearerStrategy()],
  });
}

/** The host is unreachable, because names below `test` do not resolve (RFC 6761). */
function subdomainByUser(): ConnectorDefinition {
  return aFakeVendorConnector('subdomain', {
    defaultBaseUrl: undefined,
    addressingConfig: {
      ...{ scheme: 'https', host: '{subdomain}.example.test' },
      variables: [{ name: 'subdomain', source: 'user_input', required: true }],
    },
    ingestionConfigSchema: { ...aConfigSchema({ subdomain: { type: 'string' } }), required: ['subdomain'] },
    supportedAuthStrategies: [aBearerStrategy()],
  });
}

/** The token response contains the API host. The connector uses the credentials of `oauth2-client-credentials`. */
function addressByTokenReply(origin: string): ConnectorDefinition {
  return aFakeVendorConnector('oauth-response', {
    defaultBaseUrl: undefined,
    addressingConfig: {
      ...{ scheme: 'http', host: '{instanceUrl}', basePath: '/oauth2-client-credentials' },
      variables: [{ name: 'instanceUrl', source: 'oauth_response', oauthResponsePath: 'instance_url', required: true }],
    },
    supportedAuthStrategies: clientCredentialsStrategies(origin),
  });
}
