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

/** Low enough that only many addresses together reach the connection limit of the process. */
const DEFAULT_CONNECTIONS_PER_ADDRESS = 128;

const DEFAULT_TOKEN_BUDGET = 20_000;

export interface Config extends Settings {
  /** Address of `/metrics`; port 0 selects a free port. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** If undefined, the local issuer, for development only. */
  readonly auth:
    | { readonly issuer: string; readonly jwksUrl: string | undefined; readonly audience: string }
    | undefined;
  readonly seedDemo: boolean;
  /** Infinity: no limit. */
  readonly connectionsPerAddress: number;
  /** If undefined, secrets are sealed and stored in the database. */
  readonly vault: VaultSettings | undefined;
  /** A language model that proposes column types. If undefined, only the rules do. */
  readonly model: ModelSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment once. An empty variable counts as unset. Throws `ConfigError`. */
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

/** Behind a proxy, all connections come from the proxy's address. */
function defaultConnections({ rateLimits, proxyHops }: Settings): number {
  return rateLimits === 'off' || proxyHops > 0 ? Number.POSITIVE_INFINITY : DEFAULT_CONNECTIONS_PER_ADDRESS;
}

function authOf({ authIssuer, authAudience, authJwksUrl }: CombinedSettings): Config['auth'] {
  return authIssuer && authAudience ? { issuer: authIssuer, jwksUrl: authJwksUrl, audience: authAudience } : undefined;
}

/** Vault variables are only used with SECRET_STORE=vault, because Vault's own client uses the same names. */
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

/** Conflicts between variables that are valid on their own. */
function faultsBetween(values: Settings & CombinedSettings): string[] {
  const isProduction = values.nodeEnv === 'production';
  const isVault = values.secretStore === 'vault';
  const { authIssuer, authAudience, modelUrl } = values;
  const rules: [isBroken: unknown, fault: string][] = [
    [isProduction && !authIssuer, 'AUTH_ISSUER must be set in production: the local issuer is for development only'],
    [authIssuer && !authAudience, 'AUTH_AUDIENCE must be set with AUTH_ISSUER'],
    [!authIssuer && authAudience, 'AUTH_AUDIENCE requires AUTH_ISSUER'],
    [!authIssuer && values.authJwksUrl, 'AUTH_JWKS_URL requires AUTH_ISSUER'],
    [authIssuer && values.seedDemo, 'SEED_DEMO requires the local issuer; unset AUTH_ISSUER'],
    [
      isProduction && !isVault && !values.sealingKeys,
      'SEALING_KEYS must be set in production, or SECRET_STORE=vault: the generated key is for development only',
    ],
    [isVault && values.sealingKeys, 'SEALING_KEYS has no effect with SECRET_STORE=vault; unset it'],
    [isVault && !values.vaultAddr, 'VAULT_ADDR must be set with SECRET_STORE=vault'],
    [
      isVault && Boolean(values.vaultToken) === Boolean(values.vaultTokenFile),
      'Exactly one of VAULT_TOKEN and VAULT_TOKEN_FILE must be set with SECRET_STORE=vault',
    ],
    [modelUrl && !values.modelName, 'MODEL_NAME must be set with MODEL_URL'],
    [!modelUrl && values.modelName, 'MODEL_NAME requires MODEL_URL'],
    [!modelUrl && values.modelApiKey, 'MODEL_API_KEY requires MODEL_URL'],
    [!modelUrl && values.modelTokenBudget, 'MODEL_TOKEN_BUDGET requires MODEL_URL'],
    [values.databaseRuntimeUrl && !values.databaseUrl, 'DATABASE_RUNTIME_URL requires DATABASE_URL'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
