import { resolve } from 'node:path';
import { z } from 'zod';
import { RATE_LIMIT_NAMES, type RateOverrides } from './http/request-rate-limiter.js';
import { parseStorageUrl, StorageUrlError } from './kernel/files/storage-url.js';
import { AddressGuard } from './kernel/outbound/address-guard.js';
import { USER_AGENT } from './kernel/outbound/outbound-client.js';
import { KeyRingError, parseKeyRing } from './secrets/key-ring.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SECRET_STORES = ['sealing', 'vault'] as const;

const path = z
  .string()
  .min(1)
  .transform((given) => resolve(given));
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number, 0 to 65535')
  .transform(Number);
const onOff = (value: 'true' | 'false') => value === 'true';
const onOrOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .default('on')
  .transform((value) => value === 'on');
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

const databaseUrl = (example: string) =>
  url(/^postgres(ql)?$/, example).refine(isDecodable, 'must have each % of its own written as %25');

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

/** Seconds: 7 days. */
const MAX_GRACE_SECONDS = 604_800;

/** Digits without a sign, up to `most`. */
function isCount(text: string, most: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) <= most;
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** As a browser sends it: scheme, host and port, without a slash at the end. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;
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

/** Each variable of the environment: how it is spelled, and its default. What they make together, `readConfig` says. */
export const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.default(0),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(listOf)
    .refine((list) => list.every(isOrigin), 'must be origins such as https://app.example.com, separated by commas'),
  DATABASE_URL: databaseUrl('postgresql://user:password@host:5432/taproot').optional(),
  DATABASE_PREPARED: onOrOff,
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
  CONNECTIONS_PER_ADDRESS: z
    .string()
    .refine((text) => text === 'off' || (isCount(text, 10_000) && Number(text) > 0), 'must be off, or 1 to 10000')
    .transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text)))
    .optional(),
  STORAGE_URL: z.string().transform(parsed(parseStorageUrl, StorageUrlError)).optional(),
  MAX_UPLOAD_BYTES: z
    .string()
    .refine(isUploadSize, 'must be a number of bytes, 1 to 1099511627776')
    .transform(Number)
    .default(100 * 2 ** 20),
  STORAGE_QUOTA_BYTES: z
    .string()
    .refine((text) => /^(off|\d{1,15})$/.test(text), 'must be a number of bytes of up to 15 digits, or off')
    .transform((text) => Number(text) || undefined) // off, 0: no limit
    .optional(),
  INGEST_GRACE_SECONDS: z
    .string()
    .refine((text) => isCount(text, MAX_GRACE_SECONDS), `must be a number of seconds, 0 to ${MAX_GRACE_SECONDS}`)
    .transform(Number)
    .default(86_400),
  INGEST_FLUSH_SECONDS: z
    .string()
    .refine((text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_600, 'must be a number of seconds, 1 to 3600')
    .transform(Number)
    .default(10),
  JOBS: onOrOff,
  SHUTDOWN_DELAY_SECONDS: z
    .string()
    .refine((text) => isCount(text, 300), 'must be a number of seconds, 0 to 300')
    .transform(Number)
    .default(5),
  PROXY_HOPS: z.string().regex(/^\d$/, 'must be the number of proxies in front, 0 to 9').default('0').transform(Number),
  EGRESS_ALLOW: z
    .string()
    .default('')
    .transform(listOf)
    .refine(isNetworkList, 'must be a list of CIDRs such as 10.0.0.0/8,fd00::/8'),
  USER_AGENT: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be visible ASCII characters with single spaces between them')
    .max(200, 'must have at most 200 characters')
    .default(USER_AGENT),
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

export type Variables = z.infer<typeof variables>;
