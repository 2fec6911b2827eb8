import type { ModelSettings } from './artifacts/model-proposer.js';
import { COMBINED_SETTINGS, type CombinedSettings, SETTINGS, type Settings } from './config-variables.js';
import type { VaultSettings } from './secrets/vault-client.js';

/** Variables with invalid values; one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Many addresses have to join to reach the connection limit of the process. */
const DEFAULT_CONNECTIONS_PER_ADDRESS = 128;

const DEFAULT_TOKEN_BUDGET = 20_000;

export interface Config extends Settings {
  /** Where `/metrics` is served; port 0 picks a free port. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** Undefined: the local issuer, for development. */
  readonly auth:
    | { readonly issuer: string; readonly jwksUrl: string | undefined; readonly audience: string }
    | undefined;
  readonly seedDemo: boolean;
  /** Infinity: no limit. */
  readonly connectionsPerAddress: number;
  /** Undefined: secrets are sealed and stored in the database. */
  readonly vault: VaultSettings | undefined;
  /** A language model that proposes column types. Undefined: rules alone infer them. */
  readonly model: ModelSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment, once. Treats an empty variable as unset. Throws `ConfigError`. */
export function readConfig(env: Environment = process.env): Config {
  const { faults, values } = parseVariables(env);
  if (faults.length === 0) faults.push(...faultsBetween(values));
  if (faults.length > 0) throw new ConfigError(faults);
  const { metricsHost, metricsPort, seedDemo, connectionsPerAddress } = values;
  const settings = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, values[name as keyof Settings]]));
  return {
    ...(settings as unknown as Settings),
    metrics: { host: metricsHost, port: metricsPort },
    auth: authOf(values),
    seedDemo: seedDemo ?? !values.authIssuer,
    connectionsPerAddress: connectionsPerAddress ?? defaultConnections(values),
    vault: vaultOf(values),
    model: modelOf(values),
  };
}

function parseVariables(env: Environment): { faults: string[]; values: Settings & CombinedSettings } {
  const faults: string[] = [];
  const values = Object.entries({ ...SETTINGS, ...COMBINED_SETTINGS }).map(([property, { name, schema }]) => {
    const { data, error } = schema.safeParse(env[name] || undefined);
    for (const { message } of error?.issues ?? []) faults.push(`${name} ${message}`);
    return [property, data];
  });
  return { faults, values: Object.fromEntries(values) };
}

/** Behind a proxy, all connections come from its address. */
function defaultConnections({ rateLimits, proxyHops }: Settings): number {
  return rateLimits === 'off' || proxyHops > 0 ? Number.POSITIVE_INFINITY : DEFAULT_CONNECTIONS_PER_ADDRESS;
}

function authOf({ authIssuer, authAudience, authJwksUrl }: CombinedSettings): Config['auth'] {
  return authIssuer && authAudience ? { issuer: authIssuer, jwksUrl: authJwksUrl, audience: authAudience } : undefined;
}

/** Ignores the Vault variables unless SECRET_STORE=vault: Vault's own client reads some of them as well. */
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

/** Variables that are valid alone but not together. */
function faultsBetween(values: Settings & CombinedSettings): string[] {
  const isProduction = values.nodeEnv === 'production';
  const isVault = values.secretStore === 'vault';
  const { authIssuer, authAudience, modelUrl } = values;
  const rules: [isBroken: unknown, fault: string][] = [
    [isProduction && !authIssuer, 'AUTH_ISSUER must be set in production: the local issuer is for development only'],
    [authIssuer && !authAudience, 'AUTH_AUDIENCE must be set with AUTH_ISSUER'],
    [!authIssuer && authAudience, 'AUTH_AUDIENCE means nothing without AUTH_ISSUER'],
    [!authIssuer && values.authJwksUrl, 'AUTH_JWKS_URL means nothing without AUTH_ISSUER'],
    [authIssuer && values.seedDemo, 'SEED_DEMO needs the local issuer: leave AUTH_ISSUER out'],
    [
      isProduction && !isVault && !values.sealingKeys,
      'SEALING_KEYS must be set in production, or SECRET_STORE=vault: the generated key is for development only',
    ],
    [isVault && values.sealingKeys, 'SEALING_KEYS means nothing with SECRET_STORE=vault'],
    [isVault && !values.vaultAddr, 'VAULT_ADDR must be set with SECRET_STORE=vault'],
    [
      isVault && Boolean(values.vaultToken) === Boolean(values.vaultTokenFile),
      'VAULT_TOKEN or VAULT_TOKEN_FILE must be set with SECRET_STORE=vault, and not both',
    ],
    [modelUrl && !values.modelName, 'MODEL_NAME must be set with MODEL_URL'],
    [!modelUrl && values.modelName, 'MODEL_NAME means nothing without MODEL_URL'],
    [!modelUrl && values.modelApiKey, 'MODEL_API_KEY means nothing without MODEL_URL'],
    [!modelUrl && values.modelTokenBudget, 'MODEL_TOKEN_BUDGET means nothing without MODEL_URL'],
    [values.databaseRuntimeUrl && !values.databaseUrl, 'DATABASE_RUNTIME_URL means nothing without DATABASE_URL'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
