import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import type { Secrets } from '../../secrets/secret-store.js';
import { type ConnectionConfig, type ConnectionConfigSchema, validateConfig } from './validate-config.js';

export interface SubmittedConfig {
  /** The submitted config, with an empty string in place of each secret. */
  readonly masked: ConnectionConfig;
  readonly secrets: Secrets;
  /** Includes stored secrets that the client omitted. */
  readonly complete: ConnectionConfig;
}

const CONFIG_FIELD = 'authenticationConfig';
const EMPTY_SCHEMA: ConnectionConfigSchema = { type: 'object', properties: {} };

/** Returns whether a submission omits a secret or leaves it empty. The service then keeps the stored secret. */
export function reusesStoredSecrets(
  schema: ConnectionConfigSchema | null | undefined,
  given: ConnectionConfig,
): boolean {
  return secretFieldsOf(schema).some((field) => isOmitted(given[field]));
}

function isOmitted(value: unknown): boolean {
  return value === undefined || value === '';
}

/**
 * Fills omitted and empty secrets from `stored`, because the API returns secrets as empty strings. `null` clears a
 * secret.
 */
export function parseSubmittedConfig(
  configSchema: ConnectionConfigSchema | null | undefined,
  given: ConnectionConfig,
  stored: Secrets = {},
): SubmittedConfig {
  const schema = configSchema ?? EMPTY_SCHEMA;
  const merged = { ...given };
  for (const field of secretFieldsOf(schema)) {
    const value = merged[field];
    if (isOmitted(value) && stored[field] !== undefined) merged[field] = stored[field];
    else if (isOmitted(value) || value === null) delete merged[field];
  }
  return separateSecrets(schema, validateConfig(CONFIG_FIELD, schema, merged));
}

function separateSecrets(schema: ConnectionConfigSchema, whole: ConnectionConfig): SubmittedConfig {
  const secrets: Record<string, string> = {};
  const masked: ConnectionConfig = { ...whole };
  for (const field of secretFieldsOf(schema)) {
    const value = whole[field];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new AppError('BAD_REQUEST', `${CONFIG_FIELD}.${field} must be a string.`);
    secrets[field] = value;
    masked[field] = '';
  }
  return { masked, secrets, complete: whole };
}
