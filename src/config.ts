import { resolve } from 'node:path';
import { z } from 'zod';
import type { ModelSettings } from './artifacts/model-proposer.js';
import { AddressGuard } from './kernel/outbound-guard.js';
import { parseStorageAddress, type StorageAddress, StorageAddressError } from './kernel/storage-address.js';
import { type KeyRing, KeyRingError, parseKeyRing } from './secrets/key-ring.js';
import type { VaultSettings } from './secrets/vault-client.js';

/** A variable with a value that cannot be used; one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SECRET_STORES = ['sealing', 'vault'] as const;

const path = z
  .string()
  .min(1)
  .transform((given) => resolve(given));
const onOff = (value: 'true' | 'false') => value === 'true';
const onOrOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .default('on')
  .transform((value) => value === 'on');
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

const databaseUrl = (example: string) =>
  url(/^postgres(ql)?$/, example).refine(isDecodable, 'must have each % of its own written as %25');

const RATE_LIMIT_NAMES = ['caller', 'public', 'upload', 'vendor', 'ingest'] as const;
const RATE = `(${RATE_LIMIT_NAMES.join('|')})=[1-9]\\d{0,8}`;
const RATES = new RegExp(`^(on|off|${RATE}(,${RATE})*)$`);

function parseRates(text: string): Config['rateLimits'] {
  if (text === 'off') return 'off';
  const changes = text === 'on' ? [] : text.split(',').map((part) => part.split('='));
  return Object.fromEntries(changes.map(([name, rate]) => [name, Number(rate)]));
}

function isUploadSize(text: string): boolean {
  return /^[1-9]\d{0,12}$/.test(text) && Number(text) <= 2 ** 40;
}

/** Seconds: 7 days. */
const LONGEST_GRACE = 604_800;

function isGrace(text: string): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) <= LONGEST_GRACE;
}

function isDecodable(address: string): boolean {
  try {
    return Boolean(decodeURIComponent(address));
  } catch {
    return false;
  }
}

function isNetworkList(list: readonly string[]): boolean {
  try {
    return Boolean(new AddressGuard(list));
  } catch {
    return false;
  }
}

/** What `parse` makes of the text; what it throws about the text itself is the fault that is named. */
function parsed<Value>(parse: (text: string) => Value, Fault: new (message: string) => Error) {
  return (text: string, context: z.RefinementCtx): Value => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  };
}

function isBase(address: string): boolean {
  const url = URL.parse(address);
  return !url || (!url.search && !url.hash && !url.username);
}

/** The base of addresses that paths are added to. */
const base = (example: string) =>
  url(/^https?$/, example)
    .refine(isBase, 'must be an address without user, query and fragment')
    .transform((address) => address.replace(/\/+$/, ''));

/** What stands in a header. */
const visibleAscii = z.string().regex(/^[\x21-\x7e]+$/, 'must be of visible ASCII characters');

const vaultPath = z
  .string()
  .regex(/^[\w-]+(\/[\w-]+)*\/?$/, 'must be a path of letters, digits, - and _, such as team/secret')
  .transform((given) => given.replace(/\/$/, ''));

const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number, 0 to 65535')
    .transform(Number)
    .default(4000),
  DATABASE_URL: databaseUrl('postgresql://user:password@host:5432/taproot').optional(),
  DATABASE_RUNTIME_URL: databaseUrl('postgresql://runtime:password@host:5432/taproot').optional(),
  DATA_DIR: path.default(resolve('.data')),
  PUBLIC_URL: base('https://taproot.example.com').optional(),
  CATALOG_DIR: path.optional(),
  SHIPPED_CATALOG: onOrOff,
  NODE_ENV: z.string().optional(),
  WORKSPACE_BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain in lower case, such as taproot.example.com')
    .default('localhost'),
  AUTH_ISSUER: url(/^https?$/, 'https://login.example.com').optional(),
  AUTH_JWKS_URL: url(/^https?$/, 'https://login.example.com/jwks').optional(),
  AUTH_AUDIENCE: z.string().min(1).optional(),
  SEED_DEMO: z.enum(['true', 'false'], { error: 'must be true or false' }).transform(onOff).optional(),
  RATE_LIMITS: z
    .string()
    .regex(RATES, 'must be on, off, or requests a minute such as caller=1200,public=300')
    .default('on')
    .transform(parseRates),
  STORAGE_URL: z.string().transform(parsed(parseStorageAddress, StorageAddressError)).optional(),
  MAX_UPLOAD_BYTES: z
    .string()
    .refine(isUploadSize, 'must be a number of bytes, 1 to 1099511627776')
    .transform(Number)
    .default(100 * 2 ** 20),
  INGEST_GRACE_SECONDS: z
    .string()
    .refine(isGrace, `must be a number of seconds, 0 to ${LONGEST_GRACE}`)
    .transform(Number)
    .default(86_400),
  INGEST_FLUSH_SECONDS: z
    .string()
    .refine((text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_600, 'must be a number of seconds, 1 to 3600')
    .transform(Number)
    .default(10),
  JOBS: onOrOff,
  PROXY_HOPS: z.string().regex(/^\d$/, 'must be the number of proxies in front, 0 to 9').default('0').transform(Number),
  EGRESS_ALLOW: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine(isNetworkList, 'must be a list of CIDRs such as 10.0.0.0/8,fd00::/8'),
  SECRET_STORE: z.enum(SECRET_STORES, { error: `must be one of ${SECRET_STORES.join(', ')}` }).default('sealing'),
  SEALING_KEYS: z.string().transform(parsed(parseKeyRing, KeyRingError)).optional(),
  VAULT_ADDR: base('https://vault.example.com:8200').optional(),
  VAULT_TOKEN: visibleAscii.optional(),
  VAULT_TOKEN_FILE: path.optional(),
  VAULT_MOUNT: vaultPath.default('secret'),
  VAULT_PREFIX: vaultPath.default('taproot'),
  VAULT_NAMESPACE: vaultPath.optional(),
  MODEL_URL: base('https://api.example.com/v1').optional(),
  MODEL_NAME: visibleAscii.max(128, 'must have 128 characters at most').optional(),
  MODEL_API_KEY: visibleAscii.optional(),
  MODEL_TOKEN_BUDGET: z
    .string()
    .refine((text) => /^\d{4,6}$/.test(text) && Number(text) >= 2000, 'must be a number of tokens, 2000 to 999999')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

type Variables = z.infer<typeof variables>;

export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  /** None: an embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** None: the folder `files` below `dataDir`. */
  readonly storage: StorageAddress | undefined;
  /** Of one file. */
  readonly maxUploadBytes: number;
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
  /** `demo.localhost` is the workspace `demo` where this is `localhost`. */
  readonly workspaceBaseDomain: string;
  /** None: the local issuer, for development. */
  readonly auth:
    | { readonly issuer: string; readonly jwksUrl: string | undefined; readonly audience: string }
    | undefined;
  readonly seedDemo: boolean;
  /** Requests a minute that differ from the defaults. */
  readonly rateLimits: 'off' | Partial<Record<RateLimitName, number>>;
  /** Whether this process does background work, or leaves it to others on the same database. */
  readonly runsJobs: boolean;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly proxyHops: number;
  /** CIDRs outside the public internet that outbound calls may reach. */
  readonly egressAllow: readonly string[];
  /** None: those of a file below `dataDir`. */
  readonly sealingKeys: KeyRing | undefined;
  /** None: secrets are sealed and kept in the database. */
  readonly vault: VaultSettings | undefined;
  /** A language model that proposes types of columns. None: the rules alone do. */
  readonly model: ModelSettings | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
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
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    storage: data.STORAGE_URL,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    ingestGraceSeconds: data.INGEST_GRACE_SECONDS,
    ingestFlushSeconds: data.INGEST_FLUSH_SECONDS,
    publicUrl: data.PUBLIC_URL,
    catalogDir: data.CATALOG_DIR,
    loadsShippedCatalog: data.SHIPPED_CATALOG,
    databaseRuntimeUrl: data.DATABASE_RUNTIME_URL,
    workspaceBaseDomain: data.WORKSPACE_BASE_DOMAIN,
    auth: issuer && audience ? { issuer, jwksUrl, audience } : undefined,
    seedDemo: data.SEED_DEMO ?? !issuer,
    rateLimits: data.RATE_LIMITS,
    runsJobs: data.JOBS,
    proxyHops: data.PROXY_HOPS,
    egressAllow: data.EGRESS_ALLOW,
    sealingKeys: data.SEALING_KEYS,
    vault: vaultOf(data),
    model: modelOf(data),
    logLevel: data.LOG_LEVEL,
  };
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
