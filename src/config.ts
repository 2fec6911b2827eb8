import type { ModelSettings } from './artifacts/model-proposer.js';
import { type Variables, variables } from './config-variables.js';
import type { RateOverrides } from './http/request-rate-limiter.js';
import type { StorageLocation } from './kernel/files/storage-url.js';
import type { KeyRing } from './secrets/key-ring.js';
import type { VaultSettings } from './secrets/vault-client.js';

/** A variable with a value that cannot be used; one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** So that many addresses have to join to reach the limit of the process. */
const DEFAULT_CONNECTIONS_PER_ADDRESS = 128;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where `/metrics` is served; port 0 is a free one. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** Origins whose scripts may read replies. */
  readonly corsOrigins: readonly string[];
  /** None: an embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** None: the folder `files` below `dataDir`. */
  readonly storage: StorageLocation | undefined;
  /** Of one file. */
  readonly maxUploadBytes: number;
  /** Of a workspace without a quota of its own. None: no limit. */
  readonly storageQuotaBytes: number | undefined;
  /** For which an ingest token that was rotated still opens. */
  readonly ingestGraceSeconds: number;
  /** After which pushed records are in their table at the latest, if nothing stands in the way. */
  readonly ingestFlushSeconds: number;
  readonly publicUrl: string | undefined;
  /** A folder of vendor definitions beside the shipped ones. */
  readonly catalogDir: string | undefined;
  /** Whether the definitions that come with the project are loaded. */
  readonly loadsShippedCatalog: boolean;
  /** The role that the service logs in as. None: one that the migrations make. */
  readonly databaseRuntimeUrl: string | undefined;
  /** Whether connections to the database prepare statements by name. */
  readonly preparesStatements: boolean;
  /** `demo.localhost` is the workspace `demo` where this is `localhost`. */
  readonly workspaceBaseDomain: string;
  /** None: the local issuer, for development. */
  readonly auth:
    | { readonly issuer: string; readonly jwksUrl: string | undefined; readonly audience: string }
    | undefined;
  readonly seedDemo: boolean;
  readonly rateLimits: RateOverrides;
  /** Infinity: no limit. */
  readonly connectionsPerAddress: number;
  /** Whether this process does background work, or leaves it to others on the same database. */
  readonly runsJobs: boolean;
  /** After SIGTERM `/readyz` fails for this long before the port closes. */
  readonly shutdownDelaySeconds: number;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly proxyHops: number;
  /** CIDRs outside the public internet that outbound calls may reach. */
  readonly egressAllow: readonly string[];
  /** Sent with each outbound call. */
  readonly userAgent: string;
  /** None: those of a file below `dataDir`. */
  readonly sealingKeys: KeyRing | undefined;
  /** None: secrets are sealed and kept in the database. */
  readonly vault: VaultSettings | undefined;
  /** A language model that proposes types of columns. None: the rules alone do. */
  readonly model: ModelSettings | undefined;
  readonly logLevel: Variables['LOG_LEVEL'];
}

/** Reads the environment, once. An empty variable counts as one that is not set. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { success, data, error } = variables.safeParse(given);
  if (!success) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
  const faults = faultsBetween(data);
  if (faults.length) throw new ConfigError(faults);
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwksUrl } = data;
  return {
    host: data.HOST,
    port: data.PORT,
    metrics: { host: data.METRICS_HOST, port: data.METRICS_PORT },
    corsOrigins: data.CORS_ORIGINS,
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    storage: data.STORAGE_URL,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    storageQuotaBytes: data.STORAGE_QUOTA_BYTES,
    ingestGraceSeconds: data.INGEST_GRACE_SECONDS,
    ingestFlushSeconds: data.INGEST_FLUSH_SECONDS,
    publicUrl: data.PUBLIC_URL,
    catalogDir: data.CATALOG_DIR,
    loadsShippedCatalog: data.SHIPPED_CATALOG,
    databaseRuntimeUrl: data.DATABASE_RUNTIME_URL,
    preparesStatements: data.DATABASE_PREPARED,
    workspaceBaseDomain: data.WORKSPACE_BASE_DOMAIN,
    auth: issuer && audience ? { issuer, jwksUrl, audience } : undefined,
    seedDemo: data.SEED_DEMO ?? !issuer,
    rateLimits: data.RATE_LIMITS,
    connectionsPerAddress: data.CONNECTIONS_PER_ADDRESS ?? defaultConnections(data),
    runsJobs: data.JOBS,
    shutdownDelaySeconds: data.SHUTDOWN_DELAY_SECONDS,
    proxyHops: data.PROXY_HOPS,
    egressAllow: data.EGRESS_ALLOW,
    userAgent: data.USER_AGENT,
    sealingKeys: data.SEALING_KEYS,
    vault: vaultOf(data),
    model: modelOf(data),
    logLevel: data.LOG_LEVEL,
  };
}

/** Behind a proxy, all connections come from its address. */
function defaultConnections({ RATE_LIMITS: rates, PROXY_HOPS: hops }: Variables): number {
  return rates === 'off' || hops > 0 ? Number.POSITIVE_INFINITY : DEFAULT_CONNECTIONS_PER_ADDRESS;
}

/** Variables of Vault are heeded with SECRET_STORE=vault alone: its own client reads some of them as well. */
function vaultOf(data: Variables): VaultSettings | undefined {
  const { SECRET_STORE: store, VAULT_ADDR: address, VAULT_TOKEN: value, VAULT_TOKEN_FILE: file } = data;
  const token = file ? { file } : value && { value };
  if (store !== 'vault' || !address || !token) return undefined;
  return { address, token, mount: data.VAULT_MOUNT, prefix: data.VAULT_PREFIX, namespace: data.VAULT_NAMESPACE };
}

function modelOf(data: Variables): ModelSettings | undefined {
  const { MODEL_URL: url, MODEL_NAME: name, MODEL_API_KEY: apiKey, MODEL_TOKEN_BUDGET: tokenBudget = 20_000 } = data;
  return url && name ? { url, name, apiKey, tokenBudget } : undefined;
}

/** What fits by itself and not together. */
function faultsBetween(data: Variables): string[] {
  const isVault = data.SECRET_STORE === 'vault';
  const rules: [isBroken: unknown, fault: string][] = [
    [
      data.NODE_ENV === 'production' && !data.AUTH_ISSUER,
      'AUTH_ISSUER must be set in production: the local issuer is for development only',
    ],
    [data.AUTH_ISSUER && !data.AUTH_AUDIENCE, 'AUTH_AUDIENCE must be set with AUTH_ISSUER'],
    [!data.AUTH_ISSUER && data.AUTH_AUDIENCE, 'AUTH_AUDIENCE means nothing without AUTH_ISSUER'],
    [!data.AUTH_ISSUER && data.AUTH_JWKS_URL, 'AUTH_JWKS_URL means nothing without AUTH_ISSUER'],
    [data.AUTH_ISSUER && data.SEED_DEMO, 'SEED_DEMO needs the local issuer: leave AUTH_ISSUER out'],
    [
      data.NODE_ENV === 'production' && !isVault && !data.SEALING_KEYS,
      'SEALING_KEYS must be set in production, or SECRET_STORE=vault: the generated key is for development only',
    ],
    [isVault && data.SEALING_KEYS, 'SEALING_KEYS means nothing with SECRET_STORE=vault'],
    [isVault && !data.VAULT_ADDR, 'VAULT_ADDR must be set with SECRET_STORE=vault'],
    [
      isVault && Boolean(data.VAULT_TOKEN) === Boolean(data.VAULT_TOKEN_FILE),
      'VAULT_TOKEN or VAULT_TOKEN_FILE must be set with SECRET_STORE=vault, and not both',
    ],
    [data.MODEL_URL && !data.MODEL_NAME, 'MODEL_NAME must be set with MODEL_URL'],
    [!data.MODEL_URL && data.MODEL_NAME, 'MODEL_NAME means nothing without MODEL_URL'],
    [!data.MODEL_URL && data.MODEL_API_KEY, 'MODEL_API_KEY means nothing without MODEL_URL'],
    [!data.MODEL_URL && data.MODEL_TOKEN_BUDGET, 'MODEL_TOKEN_BUDGET means nothing without MODEL_URL'],
    [data.DATABASE_RUNTIME_URL && !data.DATABASE_URL, 'DATABASE_RUNTIME_URL means nothing without DATABASE_URL'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
