import { resolve } from 'node:path';
import { z } from 'zod';
import {
  base,
  databaseUrl,
  isCount,
  isOrigin,
  listOf,
  onOff,
  onOrOff,
  parsed,
  path,
  port,
  url,
  vaultPath,
  visibleAscii,
} from './config-schemas.js';
import { RATE_LIMIT_NAMES, type RateOverrides } from './http/request-rate-limiter.js';
import { parseStorageUrl, StorageUrlError } from './kernel/files/storage-url.js';
import type { JobSelection } from './kernel/jobs/job-queue.js';
import { AddressGuard } from './kernel/outbound/address-guard.js';
import { USER_AGENT } from './kernel/outbound/outbound-client.js';
import { KeyRingError, parseKeyRing } from './secrets/key-ring.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SECRET_STORES = ['sealing', 'vault'] as const;

const RATE = `(${RATE_LIMIT_NAMES.join('|')})=[1-9]\\d{0,8}`;
const RATES = new RegExp(`^(on|off|${RATE}(,${RATE})*)$`);

function parseRates(text: string): RateOverrides {
  if (text === 'off') return 'off';
  const changes = text === 'on' ? [] : text.split(',').map((part) => part.split('='));
  return Object.fromEntries(changes.map(([name, rate]) => [name, Number(rate)]));
}

function isUploadSize(text: string): boolean {
  return /^[1-9]\d{0,12}$/.test(text) && Number(text) <= 2 ** 40;
}

/** 7 days. */
const MAX_GRACE_SECONDS = 604_800;

/** Minimum: 1 hour, so that running readers can finish. Maximum: 90 days. */
const [MIN_VERSION_SECONDS, MAX_VERSION_SECONDS] = [3_600, 7_776_000];

function isNetworkList(list: readonly string[]): boolean {
  try {
    return Boolean(new AddressGuard(list));
  } catch {
    return false;
  }
}

const variable = <Schema extends z.ZodType>(name: string, schema: Schema) => ({ name, schema });

export const SETTINGS = {
  host: variable('HOST', z.string().min(1).default('127.0.0.1')),
  /** If 0, the operating system selects a free port. */
  port: variable('PORT', port.default(4000)),
  /** Origins whose browser scripts may read responses. */
  corsOrigins: variable(
    'CORS_ORIGINS',
    z
      .string()
      .default('')
      .transform(listOf)
      .refine(
        (list) => list.every(isOrigin),
        'must be a comma-separated list of origins such as https://app.example.com',
      ),
  ),
  /** URL of PostgreSQL. If undefined, the service starts an embedded PostgreSQL below `dataDir`. */
  databaseUrl: variable('DATABASE_URL', databaseUrl('postgresql://user:password@host:5432/taproot').optional()),
  /** URL with the login of the runtime role. If undefined, the service derives the login and creates the role. */
  databaseRuntimeUrl: variable(
    'DATABASE_RUNTIME_URL',
    databaseUrl('postgresql://runtime:password@host:5432/taproot').optional(),
  ),
  /** URL of a direct connection to PostgreSQL for `LISTEN`. If undefined, the service uses the runtime role's login. */
  databaseListenUrl: variable(
    'DATABASE_LISTEN_URL',
    databaseUrl('postgresql://runtime:password@host:5432/taproot').optional(),
  ),
  preparesStatements: variable('DATABASE_PREPARED', onOrOff),
  dataDir: variable('DATA_DIR', path.default(resolve('.data'))),
  /** If undefined, the service builds its base URL from host and port. */
  publicUrl: variable('PUBLIC_URL', base('https://taproot.example.com').optional()),
  catalogDir: variable('CATALOG_DIR', path.optional()),
  loadsShippedCatalog: variable('SHIPPED_CATALOG', onOrOff),
  /**
   * Domain whose subdomains select a workspace. With `localhost`, the host `demo.localhost` selects the workspace
   * `demo`.
   */
  workspaceBaseDomain: variable(
    'WORKSPACE_BASE_DOMAIN',
    z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain in lower case, such as taproot.example.com')
      .default('localhost'),
  ),
  rateLimits: variable(
    'RATE_LIMITS',
    z
      .string()
      .regex(RATES, 'must be "on", "off", or requests per minute such as caller=1200,public=300')
      .default('on')
      .transform(parseRates),
  ),
  /** If undefined, the service uses the folder `files` below `dataDir`. */
  storage: variable('STORAGE_URL', z.string().transform(parsed(parseStorageUrl, StorageUrlError)).optional()),
  maxUploadBytes: variable(
    'MAX_UPLOAD_BYTES',
    z
      .string()
      .refine(isUploadSize, 'must be a number of bytes, 1 to 1099511627776')
      .transform(Number)
      .default(100 * 2 ** 20),
  ),
  /** If undefined, the storage of a workspace is unlimited. */
  storageQuotaBytes: variable(
    'STORAGE_QUOTA_BYTES',
    z
      .string()
      .refine((text) => /^(off|\d{1,15})$/.test(text), 'must be "off", or a number of bytes with at most 15 digits')
      .transform((text) => Number(text) || undefined) // Both `off` and 0 remove the limit.
      .optional(),
  ),
  /** Maximum size of a table whose record versions the service merges. */
  maxMergedTableBytes: variable(
    'MERGE_MAX_TABLE_BYTES',
    z
      .string()
      .refine((text) => /^\d{1,15}$/.test(text), 'must be a number of bytes with at most 15 digits')
      .transform(Number)
      .default(2 ** 36),
  ),
  /** Time for which readers can still read a replaced version of a table. */
  tableVersionSeconds: variable(
    'TABLE_VERSION_SECONDS',
    z
      .string()
      .refine(
        (text) => isCount(text, MAX_VERSION_SECONDS) && Number(text) >= MIN_VERSION_SECONDS,
        `must be a whole number of seconds, ${MIN_VERSION_SECONDS} to ${MAX_VERSION_SECONDS}`,
      )
      .transform(Number)
      .default(MIN_VERSION_SECONDS),
  ),
  ingestGraceSeconds: variable(
    'INGEST_GRACE_SECONDS',
    z
      .string()
      .refine(
        (text) => isCount(text, MAX_GRACE_SECONDS),
        `must be a whole number of seconds, 0 to ${MAX_GRACE_SECONDS}`,
      )
      .transform(Number)
      .default(86_400),
  ),
  /** Maximum delay until a table contains its pushed records, under normal conditions. */
  ingestFlushSeconds: variable(
    'INGEST_FLUSH_SECONDS',
    z
      .string()
      .refine(
        (text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_600,
        'must be a whole number of seconds, 1 to 3600',
      )
      .transform(Number)
      .default(10),
  ),
  /** Whether a connection receives the default schedule and its first sync when its credentials become valid. */
  startsInitialSync: variable('INITIAL_SYNC', onOrOff),
  jobs: variable(
    'JOBS',
    z
      .enum(['all', 'on', 'pull', 'rest', 'off'], { error: 'must be all, pull, rest or off' })
      .default('all')
      .transform((value): JobSelection => (value === 'on' ? 'all' : value)),
  ),
  /** Time after SIGTERM during which `/readyz` fails, but the service still accepts connections. */
  shutdownDelaySeconds: variable(
    'SHUTDOWN_DELAY_SECONDS',
    z
      .string()
      .refine((text) => isCount(text, 300), 'must be a whole number of seconds, 0 to 300')
      .transform(Number)
      .default(5),
  ),
  /** Number of trusted proxies. Each of them appends an entry to `X-Forwarded-For`. */
  proxyHops: variable(
    'PROXY_HOPS',
    z.string().regex(/^\d$/, 'must be the number of trusted proxies, 0 to 9').default('0').transform(Number),
  ),
  /** CIDRs of non-public networks that outbound calls may reach. */
  egressAllow: variable(
    'EGRESS_ALLOW',
    z
      .string()
      .default('')
      .transform(listOf)
      .refine(isNetworkList, 'must be a comma-separated list of CIDRs such as 10.0.0.0/8,fd00::/8'),
  ),
  userAgent: variable(
    'USER_AGENT',
    z
      .string()
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be visible ASCII characters with single spaces between them')
      .max(200, 'must have at most 200 characters')
      .default(USER_AGENT),
  ),
  /** If undefined, the service sends no spans. */
  otlpEndpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT', base('http://127.0.0.1:4318').optional()),
  traceRatio: variable(
    'OTEL_TRACES_SAMPLER_ARG',
    z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
      .default('1')
      .transform(Number),
  ),
  /** Newest first. If undefined, the service uses the sealing keys in a file below `dataDir`. */
  sealingKeys: variable('SEALING_KEYS', z.string().transform(parsed(parseKeyRing, KeyRingError)).optional()),
  consoleClientId: variable('CONSOLE_CLIENT_ID', visibleAscii.optional()),
  consoleScope: variable('CONSOLE_SCOPE', z.string().min(1).default('openid email profile')),
  logLevel: variable(
    'LOG_LEVEL',
    z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  ),
};

/** `readConfig` combines these variables into other properties. */
export const COMBINED_SETTINGS = {
  metricsHost: variable('METRICS_HOST', z.string().min(1).default('127.0.0.1')),
  metricsPort: variable('METRICS_PORT', port.default(0)),
  nodeEnv: variable('NODE_ENV', z.string().optional()),
  authIssuer: variable('AUTH_ISSUER', url(/^https?$/, 'https://login.example.com').optional()),
  authJwksUrl: variable('AUTH_JWKS_URL', url(/^https?$/, 'https://login.example.com/jwks').optional()),
  authAudience: variable('AUTH_AUDIENCE', z.string().min(1).optional()),
  seedDemo: variable(
    'SEED_DEMO',
    z.enum(['true', 'false'], { error: 'must be true or false' }).transform(onOff).optional(),
  ),
  connectionsPerAddress: variable(
    'CONNECTIONS_PER_ADDRESS',
    z
      .string()
      .refine(
        (text) => text === 'off' || (isCount(text, 10_000) && Number(text) > 0),
        'must be "off", or a number of connections, 1 to 10000',
      )
      .transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text)))
      .optional(),
  ),
  secretStore: variable(
    'SECRET_STORE',
    z.enum(SECRET_STORES, { error: `must be one of ${SECRET_STORES.join(', ')}` }).default('sealing'),
  ),
  vaultAddr: variable('VAULT_ADDR', base('https://vault.example.com:8200').optional()),
  vaultToken: variable('VAULT_TOKEN', visibleAscii.optional()),
  vaultTokenFile: variable('VAULT_TOKEN_FILE', path.optional()),
  vaultMount: variable('VAULT_MOUNT', vaultPath.default('secret')),
  vaultPrefix: variable('VAULT_PREFIX', vaultPath.default('taproot')),
  vaultNamespace: variable('VAULT_NAMESPACE', vaultPath.optional()),
  modelUrl: variable('MODEL_URL', base('https://api.example.com/v1').optional()),
  modelName: variable('MODEL_NAME', visibleAscii.max(128, 'must have at most 128 characters').optional()),
  modelApiKey: variable('MODEL_API_KEY', visibleAscii.optional()),
  modelTokenBudget: variable(
    'MODEL_TOKEN_BUDGET',
    z
      .string()
      .refine((text) => /^\d{4,6}$/.test(text) && Number(text) >= 2000, 'must be a number of tokens, 2000 to 999999')
      .transform(Number)
      .optional(),
  ),
};

export type Variables = Readonly<Record<string, { readonly name: string; readonly schema: z.ZodType }>>;

export type Values<Known extends Variables> = {
  readonly [Property in keyof Known]: z.output<Known[Property]['schema']>;
};

export type Settings = Values<typeof SETTINGS>;
export type CombinedSettings = Values<typeof COMBINED_SETTINGS>;
