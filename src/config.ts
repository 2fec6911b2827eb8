import type { ModelSettings } from './artifacts/model-proposer.js';
import {
  COMBINED_SETTINGS,
  type CombinedSettings,
  SETTINGS,
  type Settings,
  type Values,
  type Variables,
} from './config-variables.js';
import type { VaultSettings } from './secrets/vault-client.js';

/** The message has one line for each invalid value and for each conflict between variables. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Prevents one address from using all connections of the process. */
const DEFAULT_CONNECTIONS_PER_ADDRESS = 128;

const DEFAULT_TOKEN_BUDGET = 20_000;

export interface Config extends Settings {
  /** With port 0, the operating system selects a free port. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** The OpenID provider. If undefined, the service uses the local issuer, which is only for development. */
  readonly auth:
    | { readonly issuer: string; readonly jwksUrl: string | undefined; readonly audience: string }
    | undefined;
  readonly seedDemo: boolean;
  /** Infinity disables the limit. */
  readonly connectionsPerAddress: number;
  /** If undefined, the service seals secrets and stores them in the database. */
  readonly vault: VaultSettings | undefined;
  /** If undefined, only rules infer column types. */
  readonly model: ModelSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Treats an empty variable as unset. Throws `ConfigError`. */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const settings = parseVariables(env, SETTINGS, faults);
  const combined = parseVariables(env, COMBINED_SETTINGS, faults);
  if (faults.length === 0) faults.push(...faultsBetween({ ...settings, ...combined }));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...settings,
    metrics: { host: combined.metricsHost, port: combined.metricsPort },
    auth: authOf(combined),
    seedDemo: combined.seedDemo ?? !combined.authIssuer,
    connectionsPerAddress: combined.connectionsPerAddress ?? defaultConnections(settings),
    vault: vaultOf(combined),
    model: modelOf(combined),
  };
}

/** Appends one line per invalid value to `faults`. The result is valid only if `faults` is empty. */
function parseVariables<Known extends Variables>(env: Environment, variables: Known, faults: string[]): Values<Known> {
  const values = Object.entries(variables).map(([property, { name, schema }]) => {
    const { data, error } = schema.safeParse(env[name] || undefined);
    for (const { message } of error?.issues ?? []) faults.push(`${name} ${message}`);
    return [property, data];
  });
  return Object.fromEntries(values);
}

/** Returns no limit behind a proxy, because all connections have the address of the proxy. */
function defaultConnections({ rateLimits, proxyHops }: Settings): number {
  return rateLimits === 'off' || proxyHops > 0 ? Number.POSITIVE_INFINITY : DEFAULT_CONNECTIONS_PER_ADDRESS;
}

function authOf({ authIssuer, authAudience, authJwksUrl }: CombinedSettings): Config['auth'] {
  return authIssuer && authAudience ? { issuer: authIssuer, jwksUrl: authJwksUrl, audience: authAudience } : undefined;
}

/**
 * Without SECRET_STORE=vault, ignores variables such as VAULT_ADDR, because an operator may have set them for Vault's
 * own client.
 */
function vaultOf(values: CombinedSettings): VaultSettings | undefined {
  const { secretStore, vaultAddr: address, vaultToken: value, vaultTokenFile: file } = values;
  const token = file ? { file } : value && { value };
  if (secretStore !== 'vault' || !address || !token) return undefined;
  return { address, token, mount: values.vaultMount, prefix: values.vaultPrefix, namespace: values.vaultNamespace };
}

function modelOf(values: CombinedSettings): ModelSettings | undefined {
  const { modelUrl: url, modelName: name, modelApiKey: apiKey } = values;
  return url && name ? { url, name, apiKey, tokenBudget: values.modelTokenBudget ?? DEFAULT_TOKEN_BUDGET } : undefined;
}

function faultsBetween(values: Settings & CombinedSettings): string[] {
  const isProduction = values.nodeEnv === 'production';
  const isVault = values.secretStore === 'vault';
  const { authIssuer, authAudience, modelUrl } = values;
  const rules: [isBroken: unknown, fault: string][] = [
    [isProduction && !authIssuer, 'AUTH_ISSUER must be set in production: the local issuer is for development only'],
    [authIssuer && !authAudience, 'AUTH_ISSUER requires AUTH_AUDIENCE'],
    [!authIssuer && authAudience, 'AUTH_AUDIENCE requires AUTH_ISSUER'],
    [!authIssuer && values.consoleClientId, 'CONSOLE_CLIENT_ID requires AUTH_ISSUER'],
    [!authIssuer && values.authJwksUrl, 'AUTH_JWKS_URL requires AUTH_ISSUER'],
    [authIssuer && values.seedDemo, 'SEED_DEMO requires the local issuer. Unset AUTH_ISSUER'],
    [
      isProduction && !isVault && !values.sealingKeys,
      'SEALING_KEYS or SECRET_STORE=vault must be set in production: the generated key is for development only',
    ],
    [isVault && values.sealingKeys, 'SEALING_KEYS has no effect with SECRET_STORE=vault. Unset SEALING_KEYS'],
    [isVault && !values.vaultAddr, 'SECRET_STORE=vault requires VAULT_ADDR'],
    [
      isVault && Boolean(values.vaultToken) === Boolean(values.vaultTokenFile),
      'SECRET_STORE=vault requires exactly one of VAULT_TOKEN and VAULT_TOKEN_FILE',
    ],
    [modelUrl && !values.modelName, 'MODEL_URL requires MODEL_NAME'],
    [!modelUrl && values.modelName, 'MODEL_NAME requires MODEL_URL'],
    [!modelUrl && values.modelApiKey, 'MODEL_API_KEY requires MODEL_URL'],
    [!modelUrl && values.modelTokenBudget, 'MODEL_TOKEN_BUDGET requires MODEL_URL'],
    [values.databaseRuntimeUrl && !values.databaseUrl, 'DATABASE_RUNTIME_URL requires DATABASE_URL'],
    [values.databaseListenUrl && !values.databaseUrl, 'DATABASE_LISTEN_URL requires DATABASE_URL'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
