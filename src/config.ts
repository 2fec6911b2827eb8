import { resolve } from 'node:path';
import { z } from 'zod';
import { AddressGuard } from './kernel/outbound-guard.js';

/** A variable with a value that cannot be used; one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const folder = z
  .string()
  .min(1)
  .transform((path) => resolve(path));
const onOff = (value: 'true' | 'false') => value === 'true';
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

const databaseUrl = (example: string) =>
  url(/^postgres(ql)?$/, example).refine(isDecodable, 'must have each % of its own written as %25');

const RATE_LIMIT_NAMES = ['caller', 'public'] as const;
const RATE = `(${RATE_LIMIT_NAMES.join('|')})=[1-9]\\d{0,8}`;
const RATES = new RegExp(`^(on|off|${RATE}(,${RATE})*)$`);

function parseRates(text: string): Config['rateLimits'] {
  if (text === 'off') return 'off';
  const changes = text === 'on' ? [] : text.split(',').map((part) => part.split('='));
  return Object.fromEntries(changes.map(([name, rate]) => [name, Number(rate)]));
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

function isBase(address: string): boolean {
  const url = URL.parse(address);
  return !url || (!url.search && !url.hash && !url.username);
}

const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number, 0 to 65535')
    .transform(Number)
    .default(4000),
  DATABASE_URL: databaseUrl('postgresql://user:password@host:5432/taproot').optional(),
  DATABASE_RUNTIME_URL: databaseUrl('postgresql://runtime:password@host:5432/taproot').optional(),
  DATA_DIR: folder.default(resolve('.data')),
  PUBLIC_URL: url(/^https?$/, 'https://taproot.example.com')
    .refine(isBase, 'must be an address without user, query and fragment')
    .transform((base) => base.replace(/\/+$/, ''))
    .optional(),
  CATALOG_DIR: folder.optional(),
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
  PROXY_HOPS: z.string().regex(/^\d$/, 'must be the number of proxies in front, 0 to 9').default('0').transform(Number),
  EGRESS_ALLOW: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine(isNetworkList, 'must be a list of CIDRs such as 10.0.0.0/8,fd00::/8'),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  /** None: an embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** A folder of vendor definitions beside the shipped ones. */
  readonly catalogDir: string | undefined;
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
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly proxyHops: number;
  /** CIDRs outside the public internet that outbound calls may reach. */
  readonly egressAllow: readonly string[];
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
    publicUrl: data.PUBLIC_URL,
    catalogDir: data.CATALOG_DIR,
    databaseRuntimeUrl: data.DATABASE_RUNTIME_URL,
    workspaceBaseDomain: data.WORKSPACE_BASE_DOMAIN,
    auth: issuer && audience ? { issuer, jwksUrl, audience } : undefined,
    seedDemo: data.SEED_DEMO ?? !issuer,
    rateLimits: data.RATE_LIMITS,
    proxyHops: data.PROXY_HOPS,
    egressAllow: data.EGRESS_ALLOW,
    logLevel: data.LOG_LEVEL,
  };
}

/** What fits by itself and not together. */
function faultsBetween(data: z.infer<typeof variables>): string[] {
  const rules: [isBroken: unknown, fault: string][] = [
    [
      data.NODE_ENV === 'production' && !data.AUTH_ISSUER,
      'AUTH_ISSUER must be set in production: the local issuer is for development only',
    ],
    [data.AUTH_ISSUER && !data.AUTH_AUDIENCE, 'AUTH_AUDIENCE must be set with AUTH_ISSUER'],
    [!data.AUTH_ISSUER && data.AUTH_AUDIENCE, 'AUTH_AUDIENCE means nothing without AUTH_ISSUER'],
    [!data.AUTH_ISSUER && data.AUTH_JWKS_URL, 'AUTH_JWKS_URL means nothing without AUTH_ISSUER'],
    [data.AUTH_ISSUER && data.SEED_DEMO, 'SEED_DEMO needs the local issuer: leave AUTH_ISSUER out'],
    [data.DATABASE_RUNTIME_URL && !data.DATABASE_URL, 'DATABASE_RUNTIME_URL means nothing without DATABASE_URL'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
