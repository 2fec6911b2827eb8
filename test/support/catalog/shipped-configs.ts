import { generateKeyPairSync } from 'node:crypto';
import type { ConnectorDefinition, StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Connection } from '../../../src/sources/connection.js';

type Schema = { properties?: Record<string, FieldSchema>; required?: string[] } | null | undefined;
interface FieldSchema {
  pattern?: string;
  enum?: unknown[];
  default?: unknown;
  secret?: boolean;
}

export const RSA_KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Values that match the patterns of config fields, by field name. */
export const CONFIG_VALUES: Readonly<Record<string, string>> = {
  account: 'acme-main',
  accountId: '12345',
  apiHost: 'us-12345.api.gong.io',
  clientEmail: 'taproot@acme.iam.gserviceaccount.test',
  cloudId: '11111111-2222-3333-4444-555555555555',
  companyDomain: 'acme',
  customerId: '1234567890',
  dataCenter: 'us6',
  delegatedUser: 'admin@acme.test',
  domain: 'acme.okta.test',
  enterpriseId: '12345',
  folderId: '0',
  host: 'data.acme.test',
  instance: 'iad-01.braze.com',
  loginHost: 'login.salesforce.com',
  projectId: '12345',
  server: 'tableau.acme.test',
  shop: 'acme',
  site: 'acme',
  subdomain: 'acme',
  teamIds: '12345',
  tenantId: 'acme.onmicrosoft.test',
  username: 'ada@acme.test/token',
};

/** Returns the credentials without the prefix `Basic `. */
export function basicAuthorization(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString('base64');
}

export function aShippedConnection(connector: ConnectorDefinition, strategy: StrategyDefinition): Connection {
  const ingestion = (strategy.ingestionConfigSchema ?? connector.ingestionConfigSchema) as Schema;
  // The other fields of a connection have no effect on requests.
  return {
    connector,
    strategy,
    taps: connector.taps,
    config: filledIn(strategy.configSchema as Schema),
    ingestionConfig: filledIn(ingestion),
  } as unknown as Connection;
}

export function withWrongSecrets(connection: Connection): Connection {
  const { properties = {} } = connection.strategy.configSchema as NonNullable<Schema>;
  const wrong = Object.entries(connection.config).map(([name, value]) => {
    if (name === 'privateKey') return [name, pem(otherKeys.privateKey)];
    if (name === 'encodedToken') return [name, basicAuthorization('ada@acme.test/token', 'wrong')];
    return [name, properties[name]?.secret ? `wrong-${value}` : value];
  });
  return { ...connection, config: Object.fromEntries(wrong) };
}

function filledIn(schema: Schema): Record<string, unknown> {
  const { properties = {}, required = [] } = schema ?? {};
  return Object.fromEntries(required.map((name) => [name, sampleOf(name, properties[name] ?? {})]));
}

function sampleOf(name: string, { pattern, enum: choices, default: usual, secret }: FieldSchema): unknown {
  if (choices) return usual ?? choices[0];
  if (name === 'privateKey') return pem(RSA_KEYS.privateKey);
  if (name === 'encodedToken') return basicAuthorization('ada@acme.test/token', 'encoded-secret');
  const value = secret ? `${name}-${'s3cr3t'.repeat(3)}` : (CONFIG_VALUES[name] ?? `some-${name}`);
  if (pattern && !new RegExp(pattern, 'u').test(value)) throw new Error(`CONFIG_VALUES has no valid value for ${name}`);
  return value;
}

function pem(key: typeof RSA_KEYS.privateKey): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
