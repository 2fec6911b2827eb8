import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.js';
import { USER_AGENT } from '../../../src/kernel/outbound/outbound-client.js';
import { parseKeyRing } from '../../../src/secrets/key-ring.js';

const PORT = 'PORT must be a port number, 0 to 65535';
const DATABASE_URL = 'DATABASE_URL must be an address such as postgresql://user:password@host:5432/taproot';
const PUBLIC_URL = 'PUBLIC_URL must be an address such as https://taproot.example.com';
const STORAGE_URL =
  'STORAGE_URL must be a URL such as file:///var/lib/taproot/files or s3://bucket/prefix?region=eu-central-1';
const STORAGE_PREFIX = 'STORAGE_URL must have a prefix of letters, digits, -, _, . and /';
const STORAGE_PARAMETERS =
  'STORAGE_URL must have only the parameters endpoint, region, forcePathStyle, each at most once';
const STORAGE_ENDPOINT = 'STORAGE_URL must have an endpoint such as http://127.0.0.1:9000, without user and path';
const STORAGE_CREDENTIALS = 'STORAGE_URL must not contain credentials; set the environment variables of the AWS SDK';
const MAX_UPLOAD_BYTES = 'MAX_UPLOAD_BYTES must be a number of bytes, 1 to 1099511627776';
const CONNECTIONS_PER_ADDRESS = 'CONNECTIONS_PER_ADDRESS must be off, or 1 to 10000';
const SHUTDOWN_DELAY_SECONDS = 'SHUTDOWN_DELAY_SECONDS must be a number of seconds, 0 to 300';
const INGEST_FLUSH_SECONDS = 'INGEST_FLUSH_SECONDS must be a number of seconds, 1 to 3600';
const RATE_LIMITS = 'RATE_LIMITS must be on, off, or requests per minute such as caller=1200,public=300';
const CORS_ORIGINS = 'CORS_ORIGINS must be a comma-separated list of origins such as https://app.example.com';
const LOG_LEVEL = 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent';

const NO_ISSUER = 'AUTH_ISSUER must be set in production: the local issuer is for development only';
const NO_KEYS =
  'SEALING_KEYS must be set in production, or SECRET_STORE=vault: the generated key is for development only';
const NO_VAULT = 'VAULT_ADDR must be set with SECRET_STORE=vault';
const NO_TOKEN = 'Exactly one of VAULT_TOKEN and VAULT_TOKEN_FILE must be set with SECRET_STORE=vault';
const MODEL_TOKEN_BUDGET = 'MODEL_TOKEN_BUDGET must be a number of tokens, 2000 to 999999';
const VAULT_PATH = 'must be a path of letters, digits, - and _, such as team/secret';

const KEY = Buffer.alloc(32, 'geheim').toString('base64');
const VAULT = { SECRET_STORE: 'vault', VAULT_ADDR: 'https://vault.example.com:8200/', VAULT_TOKEN: 's.x' };
const PRODUCTION = { NODE_ENV: 'production', AUTH_ISSUER: 'https://login.example.com', AUTH_AUDIENCE: 'taproot' };

const BARE_BUCKET = { prefix: '', endpoint: undefined, region: undefined, forcePathStyle: false };

const DEFAULTS = {
  host: '127.0.0.1',
  port: 4000,
  metrics: { host: '127.0.0.1', port: 0 },
  corsOrigins: [],
  databaseUrl: undefined,
  dataDir: join(process.cwd(), '.data'),
  storage: undefined,
  maxUploadBytes: 104_857_600,
  storageQuotaBytes: undefined,
  ingestGraceSeconds: 86_400,
  ingestFlushSeconds: 10,
  publicUrl: undefined,
  catalogDir: undefined,
  loadsShippedCatalog: true,
  databaseRuntimeUrl: undefined,
  preparesStatements: true,
  workspaceBaseDomain: 'localhost',
  auth: undefined,
  seedDemo: true,
  rateLimits: {},
  runsJobs: true,
  proxyHops: 0,
  shutdownDelaySeconds: 5,
  connectionsPerAddress: 128,
  egressAllow: [],
  userAgent: USER_AGENT,
  sealingKeys: undefined,
  vault: undefined,
  model: undefined,
  logLevel: 'info',
};

describe('the configuration', () => {
  it('requires no variables', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('treats an empty variable as unset', () => {
    const names =
      `HOST PORT METRICS_HOST METRICS_PORT CORS_ORIGINS DATABASE_URL DATABASE_RUNTIME_URL DATABASE_PREPARED DATA_DIR PUBLIC_URL CATALOG_DIR SHIPPED_CATALOG LOG_LEVEL STORAGE_URL MAX_UPLOAD_BYTES STORAGE_QUOTA_BYTES INGEST_GRACE_SECONDS INGEST_FLUSH_SECONDS AUTH_ISSUER
      AUTH_AUDIENCE AUTH_JWKS_URL WORKSPACE_BASE_DOMAIN SEED_DEMO RATE_LIMITS CONNECTIONS_PER_ADDRESS SHUTDOWN_DELAY_SECONDS PROXY_HOPS EGRESS_ALLOW NODE_ENV SECRET_STORE SEALING_KEYS
      USER_AGENT VAULT_ADDR VAULT_TOKEN VAULT_TOKEN_FILE VAULT_MOUNT VAULT_PREFIX VAULT_NAMESPACE MODEL_URL MODEL_NAME MODEL_API_KEY MODEL_TOKEN_BUDGET`.split(
        /\s+/,
      );
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(DEFAULTS);
  });

  it('ignores other variables', () => {
    expect(readConfig({ PATH: '/bin', TAPROOT: 'x', port: '1' })).toEqual(DEFAULTS);
  });

  it('reads the given values', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '8080',
      DATABASE_URL: 'postgresql://taproot:secret@db.example.com:5433/taproot?sslmode=require',
      DATA_DIR: '/var/lib/taproot',
      STORAGE_URL:
        's3://files.example/of/taproot/?endpoint=http://127.0.0.1:9000&region=eu-central-1&forcePathStyle=true',
      MAX_UPLOAD_BYTES: '1099511627776',
      STORAGE_QUOTA_BYTES: '5000',
      INGEST_GRACE_SECONDS: '0',
      INGEST_FLUSH_SECONDS: '3600',
      PUBLIC_URL: 'https://taproot.example.com/base',
      CATALOG_DIR: '/etc/taproot/catalog',
      SHIPPED_CATALOG: 'off',
      DATABASE_RUNTIME_URL: 'postgresql://app:secret@db.example.com/taproot',
      DATABASE_PREPARED: 'off',
      NODE_ENV: 'production',
      WORKSPACE_BASE_DOMAIN: 'taproot.example.com',
      AUTH_ISSUER: 'https://login.example.com',
      AUTH_AUDIENCE: 'taproot',
      RATE_LIMITS: 'caller=1200,public=300',
      JOBS: 'off',
      PROXY_HOPS: '1',
      SHUTDOWN_DELAY_SECONDS: '20',
      EGRESS_ALLOW: '10.0.0.0/8, fd00::/8',
      USER_AGENT: 'Acme Data (data@acme.example)',
      METRICS_HOST: '0.0.0.0',
      METRICS_PORT: '9464',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      SEALING_KEYS: `new:${KEY}`,
      MODEL_URL: 'https://api.example.com/v1/',
      MODEL_NAME: 'vendor/model:1',
      MODEL_API_KEY: 'sk-x',
      MODEL_TOKEN_BUDGET: '8000',
      LOG_LEVEL: 'debug',
    });
    expect(config).toEqual({
      host: '0.0.0.0',
      port: 8080,
      databaseUrl: 'postgresql://taproot:secret@db.example.com:5433/taproot?sslmode=require',
      dataDir: '/var/lib/taproot',
      storage: {
        bucket: 'files.example',
        prefix: 'of/taproot',
        endpoint: 'http://127.0.0.1:9000',
        region: 'eu-central-1',
        forcePathStyle: true,
      },
      maxUploadBytes: 2 ** 40,
      storageQuotaBytes: 5000,
      ingestGraceSeconds: 0,
      ingestFlushSeconds: 3600,
      publicUrl: 'https://taproot.example.com/base',
      catalogDir: '/etc/taproot/catalog',
      loadsShippedCatalog: false,
      databaseRuntimeUrl: 'postgresql://app:secret@db.example.com/taproot',
      preparesStatements: false,
      workspaceBaseDomain: 'taproot.example.com',
      auth: { issuer: 'https://login.example.com', audience: 'taproot', jwksUrl: undefined },
      seedDemo: false,
      rateLimits: { caller: 1200, public: 300 },
      runsJobs: false,
      proxyHops: 1,
      shutdownDelaySeconds: 20,
      connectionsPerAddress: Number.POSITIVE_INFINITY,
      egressAllow: ['10.0.0.0/8', 'fd00::/8'],
      userAgent: 'Acme Data (data@acme.example)',
      metrics: { host: '0.0.0.0', port: 9464 },
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      sealingKeys: parseKeyRing(`new:${KEY}`),
      vault: undefined,
      model: { url: 'https://api.example.com/v1', name: 'vendor/model:1', apiKey: 'sk-x', tokenBudget: 8000 },
      logLevel: 'debug',
    });
  });

  it('resolves folders against the working directory', () => {
    const { dataDir, catalogDir } = readConfig({ DATA_DIR: 'data', CATALOG_DIR: '../catalog' });
    expect([dataDir, catalogDir]).toEqual([join(process.cwd(), 'data'), join(process.cwd(), '..', 'catalog')]);
  });

  it.each(['https://a.example.com/', 'https://a.example.com//'])('removes the trailing slash of %s', (url) => {
    expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe('https://a.example.com');
  });

  it.each([
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['DATABASE_URL', 'postgres://localhost/x', 'databaseUrl', 'postgres://localhost/x'],
    ['DATABASE_URL', 'postgresql:///x?host=/run', 'databaseUrl', 'postgresql:///x?host=/run'],
    ['STORAGE_URL', 'file:///srv/a%20b/', 'storage', { folder: '/srv/a b' }],
    ['STORAGE_URL', 's3://files', 'storage', { ...BARE_BUCKET, bucket: 'files' }],
    ['STORAGE_URL', 's3://files/a?forcePathStyle=false', 'storage', { ...BARE_BUCKET, bucket: 'files', prefix: 'a' }],
    ['MAX_UPLOAD_BYTES', '1', 'maxUploadBytes', 1],
    ['STORAGE_QUOTA_BYTES', 'off', 'storageQuotaBytes', undefined],
    ['STORAGE_QUOTA_BYTES', '0', 'storageQuotaBytes', undefined],
    ['PUBLIC_URL', 'http://localhost:4000', 'publicUrl', 'http://localhost:4000'],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['INGEST_FLUSH_SECONDS', '1', 'ingestFlushSeconds', 1],
    ['SHUTDOWN_DELAY_SECONDS', '0', 'shutdownDelaySeconds', 0],
    ['CONNECTIONS_PER_ADDRESS', '10000', 'connectionsPerAddress', 10_000],
    ['CONNECTIONS_PER_ADDRESS', 'off', 'connectionsPerAddress', Number.POSITIVE_INFINITY],
    ['RATE_LIMITS', 'off', 'connectionsPerAddress', Number.POSITIVE_INFINITY],
    ['RATE_LIMITS', 'ingest=12000', 'rateLimits', { ingest: 12_000 }],
    ['RATE_LIMITS', 'off', 'rateLimits', 'off'],
    ['RATE_LIMITS', 'public=5', 'rateLimits', { public: 5 }],
    ['SEED_DEMO', 'false', 'seedDemo', false],
  ])('takes %s=%s', (name, value, setting, expected) => {
    expect(readConfig({ [name]: value })).toHaveProperty(setting, expected);
  });

  it.each([
    ['PORT', 'http', PORT],
    ['PORT', '-1', PORT],
    ['PORT', '65536', PORT],
    ['PORT', '1.5', PORT],
    ['PORT', '-70000.5', PORT],
    ['PORT', '99999999999999999999', PORT],
    ['PORT', '1e999', PORT],
    ['PORT', ' ', PORT],
    ['DATABASE_URL', 'taproot', DATABASE_URL],
    ['DATABASE_URL', 'mysql://localhost/taproot', DATABASE_URL],
    ['DATABASE_URL', 'xpostgres://localhost/taproot', DATABASE_URL],
    ['DATABASE_URL', 'postgres://localhost:99999/taproot', DATABASE_URL],
    ['DATABASE_URL', 'postgres://a:50%off@localhost/taproot', 'DATABASE_URL must write each literal % as %25'],
    ['PUBLIC_URL', 'taproot.example.com', PUBLIC_URL],
    ['PUBLIC_URL', 'ftp://taproot.example.com', PUBLIC_URL],
    ['PUBLIC_URL', 'https://', PUBLIC_URL],
    ['PUBLIC_URL', 'https://a.example/?b=c', 'PUBLIC_URL must be an address without user, query and fragment'],
    ['PUBLIC_URL', 'https://u:p@a.example', 'PUBLIC_URL must be an address without user, query and fragment'],
    ...[
      'files',
      '/srv/files',
      'file:files',
      'file://host/files',
      'file:///srv?a=b',
      'file:///srv/%2e%2f',
      'https://a.example/files',
    ].map((value): [string, string, string] => ['STORAGE_URL', value, STORAGE_URL]),
    ...['s3://', 's3:bucket', 's3://Bucket', 's3://a_b', 's3://bucket#a', 's3://bucket:9000'].map(
      (value): [string, string, string] => ['STORAGE_URL', value, STORAGE_URL],
    ),
    ['STORAGE_URL', 's3://AKIA:geheim@bucket/a', STORAGE_CREDENTIALS],
    ['STORAGE_URL', 'file:///', 'STORAGE_URL must name a folder below the root'],
    ['STORAGE_URL', 's3://bucket/../a b', STORAGE_PREFIX],
    ['STORAGE_URL', 's3://bucket/a//b', STORAGE_PREFIX],
    ['STORAGE_URL', `s3://bucket/${'a'.repeat(801)}`, STORAGE_PREFIX],
    ['STORAGE_URL', 's3://bucket?path=a', STORAGE_PARAMETERS],
    ['STORAGE_URL', 's3://bucket?constructor=a', STORAGE_PARAMETERS],
    ['STORAGE_URL', 's3://bucket?region=a&region=b', STORAGE_PARAMETERS],
    ['STORAGE_URL', 's3://bucket?endpoint=127.0.0.1:9000', STORAGE_ENDPOINT],
    ['STORAGE_URL', 's3://bucket?endpoint=http://127.0.0.1:99999', STORAGE_ENDPOINT],
    ['STORAGE_URL', 's3://bucket?endpoint=http://a:b@127.0.0.1', STORAGE_ENDPOINT],
    ['STORAGE_URL', 's3://bucket?region=A_B', 'STORAGE_URL must have a region such as eu-central-1'],
    ['STORAGE_URL', 's3://bucket?forcePathStyle=1', 'STORAGE_URL must have a forcePathStyle of true or false'],
    ['INGEST_FLUSH_SECONDS', '0', INGEST_FLUSH_SECONDS],
    ['INGEST_FLUSH_SECONDS', '3601', INGEST_FLUSH_SECONDS],
    ['MAX_UPLOAD_BYTES', '0', MAX_UPLOAD_BYTES],
    ['STORAGE_QUOTA_BYTES', '100GiB', 'STORAGE_QUOTA_BYTES must be a number of bytes of up to 15 digits, or off'],
    ['MAX_UPLOAD_BYTES', '1.5', MAX_UPLOAD_BYTES],
    ['MAX_UPLOAD_BYTES', '100MiB', MAX_UPLOAD_BYTES],
    ['MAX_UPLOAD_BYTES', '1099511627777', MAX_UPLOAD_BYTES],
    ['CONNECTIONS_PER_ADDRESS', '0', CONNECTIONS_PER_ADDRESS],
    ['CONNECTIONS_PER_ADDRESS', '10001', CONNECTIONS_PER_ADDRESS],
    ['SHUTDOWN_DELAY_SECONDS', '301', SHUTDOWN_DELAY_SECONDS],
    ['SHUTDOWN_DELAY_SECONDS', '1.5', SHUTDOWN_DELAY_SECONDS],
    ['DATABASE_PREPARED', 'no', 'DATABASE_PREPARED must be on or off'],
    ['JOBS', 'true', 'JOBS must be on or off'],
    ['SHIPPED_CATALOG', 'false', 'SHIPPED_CATALOG must be on or off'],
    ['LOG_LEVEL', 'loud', LOG_LEVEL],
    ['LOG_LEVEL', 'INFO', LOG_LEVEL],
    ['LOG_LEVEL', 'constructor', LOG_LEVEL],
    ['RATE_LIMITS', 'constructor', RATE_LIMITS],
    ['RATE_LIMITS', 'caller=0', RATE_LIMITS],
    ['SEED_DEMO', 'yes', 'SEED_DEMO must be true or false'],
    ['PROXY_HOPS', '-1', 'PROXY_HOPS must be the number of trusted proxies, 0 to 9'],
    ['USER_AGENT', 'a\r\nx-b: c', 'USER_AGENT must be visible ASCII characters with single spaces between them'],
    ['METRICS_PORT', '65536', 'METRICS_PORT must be a port number, 0 to 65535'],
    ['CORS_ORIGINS', '*', CORS_ORIGINS],
    ['CORS_ORIGINS', 'null', CORS_ORIGINS],
    ['CORS_ORIGINS', 'app.example.com', CORS_ORIGINS],
    ['CORS_ORIGINS', 'https://app.example.com/', CORS_ORIGINS],
    ['CORS_ORIGINS', 'https://app.example.com:443', CORS_ORIGINS],
    ['CORS_ORIGINS', 'https://*.example.com', CORS_ORIGINS],
    ['CORS_ORIGINS', 'https://a.example.com,https://APP.example.com', CORS_ORIGINS],
    ['CORS_ORIGINS', 'ftp://app.example.com', CORS_ORIGINS],
    ['EGRESS_ALLOW', '10.0.0.0', 'EGRESS_ALLOW must be a list of CIDRs such as 10.0.0.0/8,fd00::/8'],
    [
      'WORKSPACE_BASE_DOMAIN',
      'Example.com',
      'WORKSPACE_BASE_DOMAIN must be a domain in lower case, such as taproot.example.com',
    ],
    ['SECRET_STORE', 'file', 'SECRET_STORE must be one of sealing, vault'],
    ['SEALING_KEYS', 'a:b', 'SEALING_KEYS must have in entry 1 a key of exactly 32 bytes in base64'],
    ['VAULT_ADDR', 'vault:8200', 'VAULT_ADDR must be an address such as https://vault.example.com:8200'],
    ['VAULT_TOKEN', 'a b', 'VAULT_TOKEN must consist of visible ASCII characters'],
    ['VAULT_MOUNT', '../x', `VAULT_MOUNT ${VAULT_PATH}`],
    ['VAULT_PREFIX', 'a//b', `VAULT_PREFIX ${VAULT_PATH}`],
    ['VAULT_NAMESPACE', 'a?b', `VAULT_NAMESPACE ${VAULT_PATH}`],
    ['MODEL_URL', 'https://api.example.com/v1', 'MODEL_NAME must be set with MODEL_URL'],
    ['MODEL_URL', 'api.example.com', 'MODEL_URL must be an address such as https://api.example.com/v1'],
    ['MODEL_NAME', 'small', 'MODEL_NAME requires MODEL_URL'],
    ['MODEL_NAME', 'x'.repeat(129), 'MODEL_NAME must have at most 128 characters'],
    ['MODEL_API_KEY', 'sk-x', 'MODEL_API_KEY requires MODEL_URL'],
    ['MODEL_API_KEY', 'sk x', 'MODEL_API_KEY must consist of visible ASCII characters'],
    ['MODEL_TOKEN_BUDGET', '5000', 'MODEL_TOKEN_BUDGET requires MODEL_URL'],
    ['MODEL_TOKEN_BUDGET', '1999', MODEL_TOKEN_BUDGET],
    ['MODEL_TOKEN_BUDGET', '1000000', MODEL_TOKEN_BUDGET],
    ['MODEL_TOKEN_BUDGET', '2e4', MODEL_TOKEN_BUDGET],
    ['AUTH_ISSUER', 'https://login.example.com', 'AUTH_AUDIENCE must be set with AUTH_ISSUER'],
    ['AUTH_AUDIENCE', 'taproot', 'AUTH_AUDIENCE requires AUTH_ISSUER'],
    ['AUTH_JWKS_URL', 'https://login.example.com/jwks', 'AUTH_JWKS_URL requires AUTH_ISSUER'],
    ['DATABASE_RUNTIME_URL', 'postgresql://app:x@db/taproot', 'DATABASE_RUNTIME_URL requires DATABASE_URL'],
  ])('rejects %s=%s in one line that names it', (name, value, line) => {
    expect(faultsOf({ [name]: value })).toEqual([line]);
  });

  it.each([
    [{ NODE_ENV: 'production', SEALING_KEYS: `a:${KEY}` }, [NO_ISSUER]],
    [PRODUCTION, [NO_KEYS]],
    [{ NODE_ENV: 'production' }, [NO_ISSUER, NO_KEYS]],
    [{ SECRET_STORE: 'vault' }, [NO_VAULT, NO_TOKEN]],
    [{ ...VAULT, VAULT_TOKEN_FILE: '/run/token' }, [NO_TOKEN]],
    [{ ...VAULT, SEALING_KEYS: `a:${KEY}` }, ['SEALING_KEYS has no effect with SECRET_STORE=vault; unset it']],
  ])('refuses %j', (env, lines) => {
    expect(faultsOf(env as Record<string, string>)).toEqual(lines);
  });

  it('uses Vault instead of sealing keys, and only then reads its variables', () => {
    const { vault, sealingKeys } = readConfig({ ...PRODUCTION, ...VAULT, VAULT_NAMESPACE: 'admin/' });
    const address = 'https://vault.example.com:8200';
    const settings = { address, mount: 'secret', prefix: 'taproot', namespace: 'admin', token: { value: 's.x' } };
    expect([vault, sealingKeys]).toEqual([settings, undefined]);
    expect(readConfig({ ...VAULT, SECRET_STORE: 'sealing' }).vault).toBeUndefined();
    const byFile = readConfig({ ...VAULT, VAULT_TOKEN: '', VAULT_TOKEN_FILE: '/run/token' });
    expect(byFile.vault?.token).toEqual({ file: '/run/token' });
  });

  it('uses a language model without a key, with a budget of 20,000 tokens', () => {
    const { model } = readConfig({ MODEL_URL: 'http://localhost:11434/v1', MODEL_NAME: 'small' });
    expect(model).toEqual({ url: 'http://localhost:11434/v1', name: 'small', apiKey: undefined, tokenBudget: 20_000 });
  });

  it('reports all invalid variables at once, one line each', () => {
    const env = { PORT: 'x', DATABASE_URL: 'x', PUBLIC_URL: 'x', LOG_LEVEL: 'x', HOST: 'localhost' };
    expect(faultsOf(env)).toEqual([PORT, DATABASE_URL, PUBLIC_URL, LOG_LEVEL]);
    expect(() => readConfig(env)).toThrow([PORT, DATABASE_URL, PUBLIC_URL, LOG_LEVEL].join('\n'));
  });

  it.each([
    ['SEALING_KEYS', 'a:aHVudGVyMg=='],
    ['VAULT_TOKEN', 'hunter2 hunter2'],
    ['STORAGE_URL', 's3://AKIA:hunter2@bucket'],
    ['MODEL_API_KEY', 'hunter2 hunter2'],
  ])('does not quote %s', (name, value) => {
    const error = errorOf({ [name]: value });
    expect(JSON.stringify(error) + error.stack).not.toMatch(/hunter2|aHVudGVy/);
  });

  it.each([
    'mysql://taproot:hunter2@db.internal/taproot',
    'postgres://taproot:hunter2/@db.internal/taproot',
    'postgres://taproot:hunter2@db.internal:port/taproot',
    'taproot:hunter2@db.internal',
  ])('does not reveal %s', (url) => {
    expect(JSON.stringify(errorOf({ DATABASE_URL: url }))).not.toMatch(/hunter2|db\.internal/);
    expect(String(errorOf({ DATABASE_URL: url }).stack)).not.toMatch(/hunter2|db\.internal/);
  });
});

function errorOf(env: Record<string, string>): ConfigError {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}

function faultsOf(env: Record<string, string>): readonly string[] {
  return errorOf(env).faults;
}
