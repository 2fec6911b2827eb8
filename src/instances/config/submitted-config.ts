import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import type { Secrets } from '../../secrets/secret-store.js';
import { type ConnectionConfig, type ConnectionConfigSchema, validateConfig } from './validate-config.js';

/** An authentication config, taken apart: what may come back as it is, and what goes to the secret store and nowhere else. */
export interface SubmittedConfig {
  /** As it was sent; each secret that there is, as an empty text. */
  readonly masked: ConnectionConfig;
  readonly secrets: Secrets;
  /** Both together: what the source is to see. */
  readonly complete: ConnectionConfig;
}

const CONFIG_FIELD = 'authenticationConfig';
const EMPTY_SCHEMA: ConnectionConfigSchema = { type: 'object', properties: {} };

/** Whether a secret is left out or empty, so that the stored one is to be kept. */
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
 * Checks what was submitted against the strategy's schema. Of `kept`, the secrets that are stored, those stay that were left out or came
 * back empty, as they are shown; `null` clears one.
 */
export function parseSubmittedConfig(
  configSchema: ConnectionConfigSchema | null | undefined,
  given: ConnectionConfig,
  kept: Secrets = {},
): SubmittedConfig {
  const schema = configSchema ?? EMPTY_SCHEMA;
  const merged = { ...given };
  for (const field of secretFieldsOf(schema)) {
    const value = merged[field];
    if (isOmitted(value) && kept[field] !== undefined) merged[field] = kept[field];
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
    if (typeof value !== 'string') throw new AppError('BAD_REQUEST', `${CONFIG_FIELD}.${field} must be a text.`);
    secrets[field] = value;
    masked[field] = '';
  }
  return { masked, secrets, complete: whole };
}
