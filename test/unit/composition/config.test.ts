import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { USER_AGENT } from '../../../src/kernel/outbound/outbound-client.js';
import { parseKeyRing } from '../../../src/secrets/key-ring.js';
import { PRODUCTION_VARIABLES, SEALING_KEY, VAULT_VARIABLES } from '../../support/processes/config-variables.js';

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
  maxMergedTableBytes: 2 ** 36,
  tableVersionSeconds: 3_600,
  ingestGraceSeconds: 86_400,
  ingestFlushSeconds: 10,
  publicUrl: undefined,
  catalogDir: undefined,
  loadsShippedCatalog: true,
  databaseRuntimeUrl: undefined,
  databaseListenUrl: undefined,
  preparesStatements: true,
  workspaceBaseDomain: 'localhost',
  auth: undefined,
  seedDemo: true,
  rateLimits: {},
  startsInitialSync: true,
  jobs: 'all',
  otlpEndpoint: undefined,
  traceRatio: 1,
  proxyHops: 0,
  shutdownDelaySeconds: 5,
  connectionsPerAddress: 128,
  egressAllow: [],
  userAgent: USER_AGENT,
  consoleClientId: undefined,
  consoleScope: 'openid email profile',
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
      `HOST PORT METRICS_HOST METRICS_PORT CORS_ORIGINS DATABASE_URL DATABASE_RUNTIME_URL DATABASE_LISTEN_URL DATABASE_PREPARED DATA_DIR PUBLIC_URL CATALOG_DIR SHIPPED_CATALOG CONSOLE_CLIENT_ID CONSOLE_SCOPE LOG_LEVEL STORAGE_URL MAX_UPLOAD_BYTES STORAGE_QUOTA_BYTES MERGE_MAX_TABLE_BYTES TABLE_VERSION_SECONDS INGEST_GRACE_SECONDS INGEST_FLUSH_SECONDS AUTH_ISSUER
      AUTH_AUDIENCE AUTH_JWKS_URL WORKSPACE_BASE_DOMAIN SEED_DEMO RATE_LIMITS CONNECTIONS_PER_ADDRESS SHUTDOWN_DELAY_SECONDS PROXY_HOPS EGRESS_ALLOW NODE_ENV SECRET_STORE SEALING_KEYS
      USER_AGENT VAULT_ADDR VAULT_TOKEN VAULT_TOKEN_FILE VAULT_MOUNT VAULT_PREFIX VAULT_NAMESPACE MODEL_URL MODEL_NAME MODEL_API_KEY MODEL_TOKEN_BUDGET OTEL_EXPORTER_OTLP_ENDPOINT OTEL_TRACES_SAMPLER_ARG`.split(
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
      MERGE_MAX_TABLE_BYTES: '1000',
      INGEST_GRACE_SECONDS: '0',
      INGEST_FLUSH_SECONDS: '3600',
      TABLE_VERSION_SECONDS: '7776000',
      PUBLIC_URL: 'https://taproot.example.com/base',
      CATALOG_DIR: '/etc/taproot/catalog',
      SHIPPED_CATALOG: 'off',
      DATABASE_RUNTIME_URL: 'postgresql://app:secret@db.example.com/taproot',
      DATABASE_LISTEN_URL: 'postgresql://app:secret@direct.example.com/taproot',
      DATABASE_PREPARED: 'off',
      NODE_ENV: 'production',
      WORKSPACE_BASE_DOMAIN: 'taproot.example.com',
      AUTH_ISSUER: 'https://login.example.com',
      AUTH_AUDIENCE: 'taproot',
      RATE_LIMITS: 'caller=1200,public=300',
      INITIAL_SYNC: 'off',
      JOBS: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      PROXY_HOPS: '1',
      SHUTDOWN_DELAY_SECONDS: '20',
      EGRESS_ALLOW: '10.0.0.0/8, fd00::/8',
      USER_AGENT: 'Acme Data (data@acme.example)',
      METRICS_HOST: '0.0.0.0',
      METRICS_PORT: '9464',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      SEALING_KEYS: `new:${SEALING_KEY}`,
      MODEL_URL: 'https://api.example.com/v1/',
      MODEL_NAME: 'vendor/model:1',
      MODEL_API_KEY: 'sk-x',
      MODEL_TOKEN_BUDGET: '8000',
      CONSOLE_CLIENT_ID: 'console',
      CONSOLE_SCOPE: 'openid email',
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
      maxMergedTableBytes: 1000,
      tableVersionSeconds: 7_776_000,
      ingestGraceSeconds: 0,
      ingestFlushSeconds: 3600,
      publicUrl: 'https://taproot.example.com/base',
      catalogDir: '/etc/taproot/catalog',
      loadsShippedCatalog: false,
      databaseRuntimeUrl: 'postgresql://app:secret@db.example.com/taproot',
      databaseListenUrl: 'postgresql://app:secret@direct.example.com/taproot',
      preparesStatements: false,
      workspaceBaseDomain: 'taproot.example.com',
      auth: { issuer: 'https://login.example.com', audience: 'taproot', jwksUrl: undefined },
      seedDemo: false,
      rateLimits: { caller: 1200, public: 300 },
      startsInitialSync: false,
      jobs: 'off',
      otlpEndpoint: 'http://127.0.0.1:4318',
      traceRatio: 0.25,
      proxyHops: 1,
      shutdownDelaySeconds: 20,
      connectionsPerAddress: Number.POSITIVE_INFINITY,
      egressAllow: ['10.0.0.0/8', 'fd00::/8'],
      userAgent: 'Acme Data (data@acme.example)',
      metrics: { host: '0.0.0.0', port: 9464 },
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      sealingKeys: parseKeyRing(`new:${SEALING_KEY}`),
      vault: undefined,
      model: { url: 'https://api.example.com/v1', name: 'vendor/model:1', apiKey: 'sk-x', tokenBudget: 8000 },
      consoleClientId: 'console',
      consoleScope: 'openid email',
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
    ['TABLE_VERSION_SECONDS', '86400', 'tableVersionSeconds', 86_400],
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

  it('uses Vault instead of sealing keys, and only then reads its variables', () => {
    const { vault, sealingKeys } = readConfig({
      ...PRODUCTION_VARIABLES,
      ...VAULT_VARIABLES,
      VAULT_NAMESPACE: 'admin/',
    });
    const address = 'https://vault.example.com:8200';
    const settings = { address, mount: 'secret', prefix: 'taproot', namespace: 'admin', token: { value: 's.x' } };
    expect([vault, sealingKeys]).toEqual([settings, undefined]);
    expect(readConfig({ ...VAULT_VARIABLES, SECRET_STORE: 'sealing' }).vault).toBeUndefined();
    const byFile = readConfig({ ...VAULT_VARIABLES, VAULT_TOKEN: '', VAULT_TOKEN_FILE: '/run/token' });
    expect(byFile.vault?.token).toEqual({ file: '/run/token' });
  });

  it('uses a language model without a key, with a budget of 20,000 tokens', () => {
    const { model } = readConfig({ MODEL_URL: 'http://localhost:11434/v1', MODEL_NAME: 'small' });
    expect(model).toEqual({ url: 'http://localhost:11434/v1', name: 'small', apiKey: undefined, tokenBudget: 20_000 });
  });
});
