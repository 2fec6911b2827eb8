import { secretFieldsOf } from '../catalog/secret-fields.js';
import { AppError } from '../kernel/errors.js';
import type { Secrets } from '../secrets/secret-store.js';
import { type Config, type ConfigSchema, checkConfig } from './check-config.js';

/** An authentication config, taken apart: what may come back as it is, and what goes to the secret store and nowhere else. */
export interface SubmittedConfig {
  /** As it was sent; each secret that there is, as an empty text. */
  readonly masked: Config;
  readonly secrets: Secrets;
  /** Both together: what the source is to see. */
  readonly whole: Config;
}

const NAME = 'authenticationConfig';
const NO_FIELDS: ConfigSchema = { type: 'object', properties: {} };

/** Whether a secret is left out or empty, so that the stored one is to be kept. */
export function keepsSecrets(schema: ConfigSchema | null | undefined, given: Config): boolean {
  return secretFieldsOf(schema).some((field) => isLeftOut(given[field]));
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === '';
}

/**
 * Checks what was submitted against the strategy's schema. Of `kept`, the secrets that are stored, those stay that were left out or came
 * back empty, as they are shown; `null` clears one.
 */
export function readSubmission(
  configSchema: ConfigSchema | null | undefined,
  given: Config,
  kept: Secrets = {},
): SubmittedConfig {
  const schema = configSchema ?? NO_FIELDS;
  const merged = { ...given };
  for (const field of secretFieldsOf(schema)) {
    const value = merged[field];
    if (isLeftOut(value) && kept[field] !== undefined) merged[field] = kept[field];
    else if (isLeftOut(value) || value === null) delete merged[field];
  }
  return takeApart(schema, checkConfig(NAME, schema, merged));
}

function takeApart(schema: ConfigSchema, whole: Config): SubmittedConfig {
  const secrets: Record<string, string> = {};
  const masked: Config = { ...whole };
  for (const field of secretFieldsOf(schema)) {
    const value = whole[field];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new AppError('BAD_REQUEST', `${NAME}.${field} must be a text.`);
    secrets[field] = value;
    masked[field] = '';
  }
  return { masked, secrets, whole };
}
