import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.js';
import { PRODUCTION_VARIABLES, SEALING_KEY, VAULT_VARIABLES } from '../../support/processes/config-variables.js';

const PORT = 'PORT must be a port number, 0 to 65535';
const DATABASE_URL = 'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/taproot';
const PUBLIC_URL = 'PUBLIC_URL must be a URL such as https://taproot.example.com';
const STORAGE_URL =
  'STORAGE_URL must be a URL such as file:///var/lib/taproot/files or s3://bucket/prefix?region=eu-central-1';
const STORAGE_PREFIX =
  'STORAGE_URL has an invalid prefix. A prefix has at most 800 characters (letters, digits and - _ . /). Each part between slashes must start with a letter or digit';
const STORAGE_PARAMETERS =
  'STORAGE_URL must have only the parameters endpoint, region, forcePathStyle, each at most once';
const STORAGE_ENDPOINT = 'STORAGE_URL must have an endpoint such as http://127.0.0.1:9000, without user or path';
const STORAGE_CREDENTIALS = 'STORAGE_URL must not contain credentials. Set the environment variables of the AWS SDK';
const BASE_URL = 'PUBLIC_URL must be a URL without a user name, password, query or fragment';
const MAX_UPLOAD_BYTES = 'MAX_UPLOAD_BYTES must be a number of bytes, 1 to 1099511627776';
const CONNECTIONS_PER_ADDRESS = 'CONNECTIONS_PER_ADDRESS must be "off", or a number of connections, 1 to 10000';
const SHUTDOWN_DELAY_SECONDS = 'SHUTDOWN_DELAY_SECONDS must be a whole number of seconds, 0 to 300';
const TABLE_VERSION_SECONDS = 'TABLE_VERSION_SECONDS must be a whole number of seconds, 3600 to 7776000';
const INGEST_FLUSH_SECONDS = 'INGEST_FLUSH_SECONDS must be a whole number of seconds, 1 to 3600';
const RATE_LIMITS = 'RATE_LIMITS must be "on", "off", or requests per minute such as caller=1200,public=300';
const CORS_ORIGINS = 'CORS_ORIGINS must be a comma-separated list of origins such as https://app.example.com';
const LOG_LEVEL = 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent';

const NO_ISSUER = 'AUTH_ISSUER must be set in production: the local issuer is for development only';
const NO_KEYS =
  'SEALING_KEYS or SECRET_STORE=vault must be set in production: the generated key is for development only';
const NO_VAULT = 'SECRET_STORE=vault requires VAULT_ADDR';
const NO_TOKEN = 'SECRET_STORE=vault requires exactly one of VAULT_TOKEN and VAULT_TOKEN_FILE';
const MODEL_TOKEN_BUDGET = 'MODEL_TOKEN_BUDGET must be a number of tokens, 2000 to 999999';
const VAULT_PATH = 'must be a path of letters, digits, - and _, such as team/secret';

describe('the configuration', () => {
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
    ['DATABASE_URL', 'postgres://a:50%off@localhost/taproot', 'DATABASE_URL must encode each literal % as %25'],
    ['PUBLIC_URL', 'taproot.example.com', PUBLIC_URL],
    ['PUBLIC_URL', 'ftp://taproot.example.com', PUBLIC_URL],
    ['PUBLIC_URL', 'https://', PUBLIC_URL],
    ['PUBLIC_URL', 'https://a.example/?b=c', BASE_URL],
    ['PUBLIC_URL', 'https://u:p@a.example', BASE_URL],
    ['PUBLIC_URL', 'https://:p@a.example', BASE_URL],
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
    [
      'STORAGE_URL',
      's3://bucket?forcePathStyle=1',
      'STORAGE_URL must have forcePathStyle=true or forcePathStyle=false',
    ],
    ['MERGE_MAX_TABLE_BYTES', '64GiB', 'MERGE_MAX_TABLE_BYTES must be a number of bytes with at most 15 digits'],
    ['TABLE_VERSION_SECONDS', '3599', TABLE_VERSION_SECONDS],
    ['TABLE_VERSION_SECONDS', '7776001', TABLE_VERSION_SECONDS],
    ['INGEST_FLUSH_SECONDS', '0', INGEST_FLUSH_SECONDS],
    ['INGEST_FLUSH_SECONDS', '3601', INGEST_FLUSH_SECONDS],
    ['MAX_UPLOAD_BYTES', '0', MAX_UPLOAD_BYTES],
    ['STORAGE_QUOTA_BYTES', '100GiB', 'STORAGE_QUOTA_BYTES must be "off", or a number of bytes with at most 15 digits'],
    ['MAX_UPLOAD_BYTES', '1.5', MAX_UPLOAD_BYTES],
    ['MAX_UPLOAD_BYTES', '100MiB', MAX_UPLOAD_BYTES],
    ['MAX_UPLOAD_BYTES', '1099511627777', MAX_UPLOAD_BYTES],
    ['CONNECTIONS_PER_ADDRESS', '0', CONNECTIONS_PER_ADDRESS],
    ['CONNECTIONS_PER_ADDRESS', '10001', CONNECTIONS_PER_ADDRESS],
    ['SHUTDOWN_DELAY_SECONDS', '301', SHUTDOWN_DELAY_SECONDS],
    ['SHUTDOWN_DELAY_SECONDS', '1.5', SHUTDOWN_DELAY_SECONDS],
    ['DATABASE_PREPARED', 'no', 'DATABASE_PREPARED must be "on" or "off"'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'localhost',
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318',
    ],
    ['JOBS', 'true', 'JOBS must be all, pull, rest or off'],
    ['SHIPPED_CATALOG', 'false', 'SHIPPED_CATALOG must be "on" or "off"'],
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
    ['EGRESS_ALLOW', '10.0.0.0', 'EGRESS_ALLOW must be a comma-separated list of CIDRs such as 10.0.0.0/8,fd00::/8'],
    [
      'WORKSPACE_BASE_DOMAIN',
      'Example.com',
      'WORKSPACE_BASE_DOMAIN must be a domain in lower case, such as taproot.example.com',
    ],
    ['SECRET_STORE', 'file', 'SECRET_STORE must be one of sealing, vault'],
    ['SEALING_KEYS', 'a:b', 'SEALING_KEYS requires, in entry 1, a key of exactly 32 bytes in base64'],
    ['VAULT_ADDR', 'vault:8200', 'VAULT_ADDR must be a URL such as https://vault.example.com:8200'],
    ['VAULT_TOKEN', 'a b', 'VAULT_TOKEN must consist of visible ASCII characters'],
    ['VAULT_MOUNT', '../x', `VAULT_MOUNT ${VAULT_PATH}`],
    ['VAULT_PREFIX', 'a//b', `VAULT_PREFIX ${VAULT_PATH}`],
    ['VAULT_NAMESPACE', 'a?b', `VAULT_NAMESPACE ${VAULT_PATH}`],
    ['MODEL_URL', 'https://api.example.com/v1', 'MODEL_URL requires MODEL_NAME'],
    ['MODEL_URL', 'api.example.com', 'MODEL_URL must be a URL such as https://api.example.com/v1'],
    ['MODEL_NAME', 'small', 'MODEL_NAME requires MODEL_URL'],
    ['MODEL_NAME', 'x'.repeat(129), 'MODEL_NAME must have at most 128 characters'],
    ['MODEL_API_KEY', 'sk-x', 'MODEL_API_KEY requires MODEL_URL'],
    ['MODEL_API_KEY', 'sk x', 'MODEL_API_KEY must consist of visible ASCII characters'],
    ['MODEL_TOKEN_BUDGET', '5000', 'MODEL_TOKEN_BUDGET requires MODEL_URL'],
    ['MODEL_TOKEN_BUDGET', '1999', MODEL_TOKEN_BUDGET],
    ['MODEL_TOKEN_BUDGET', '1000000', MODEL_TOKEN_BUDGET],
    ['MODEL_TOKEN_BUDGET', '2e4', MODEL_TOKEN_BUDGET],
    ['AUTH_ISSUER', 'https://login.example.com', 'AUTH_ISSUER requires AUTH_AUDIENCE'],
    ['AUTH_AUDIENCE', 'taproot', 'AUTH_AUDIENCE requires AUTH_ISSUER'],
    ['AUTH_JWKS_URL', 'https://login.example.com/jwks', 'AUTH_JWKS_URL requires AUTH_ISSUER'],
    ['CONSOLE_CLIENT_ID', 'console', 'CONSOLE_CLIENT_ID requires AUTH_ISSUER'],
    ['DATABASE_RUNTIME_URL', 'postgresql://app:x@db/taproot', 'DATABASE_RUNTIME_URL requires DATABASE_URL'],
    ['DATABASE_LISTEN_URL', 'postgresql://app:x@db/taproot', 'DATABASE_LISTEN_URL requires DATABASE_URL'],
  ])('rejects %s=%s in one line that names it', (name, value, line) => {
    expect(faultsOf({ [name]: value })).toEqual([line]);
  });

  it.each([
    [{ NODE_ENV: 'production', SEALING_KEYS: `a:${SEALING_KEY}` }, [NO_ISSUER]],
    [PRODUCTION_VARIABLES, [NO_KEYS]],
    [{ NODE_ENV: 'production' }, [NO_ISSUER, NO_KEYS]],
    [{ SECRET_STORE: 'vault' }, [NO_VAULT, NO_TOKEN]],
    [{ ...VAULT_VARIABLES, VAULT_TOKEN_FILE: '/run/token' }, [NO_TOKEN]],
    [
      { ...VAULT_VARIABLES, SEALING_KEYS: `a:${SEALING_KEY}` },
      ['SEALING_KEYS has no effect with SECRET_STORE=vault. Unset SEALING_KEYS'],
    ],
  ])('rejects %j', (env, lines) => {
    expect(faultsOf(env as Record<string, string>)).toEqual(lines);
  });

  it('reports all invalid variables together, one line each', () => {
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
