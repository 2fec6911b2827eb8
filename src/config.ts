import { resolve } from 'node:path';
import { z } from 'zod';

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
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

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
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/taproot').optional(),
  DATA_DIR: folder.default(resolve('.data')),
  PUBLIC_URL: url(/^https?$/, 'https://taproot.example.com')
    .refine(isBase, 'must be an address without user, query and fragment')
    .transform((base) => base.replace(/\/+$/, ''))
    .optional(),
  CATALOG_DIR: folder.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  /** None: an embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** A folder of vendor definitions beside the shipped ones. */
  readonly catalogDir: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Reads the environment, once. An empty variable counts as one that is not set. Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { success, data, error } = variables.safeParse(given);
  if (!success) throw new ConfigError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
  return {
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    publicUrl: data.PUBLIC_URL,
    catalogDir: data.CATALOG_DIR,
    logLevel: data.LOG_LEVEL,
  };
}
