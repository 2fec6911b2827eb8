import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../kernel/errors.js';

export type ConnectionConfig = Record<string, unknown>;
export type ConnectionConfigSchema = Record<string, unknown>;

const MAX_CONFIG_CHARACTERS = 65_536;

const MAX_CACHED_SCHEMAS = 500;

const ajv = new Ajv2020({ strict: false, useDefaults: true, ownProperties: true });
formats.default(ajv);
const compiledSchemas = new LRUCache<string, ValidateFunction>({ max: MAX_CACHED_SCHEMAS });

/**
 * Fills in defaults. Throws BAD_REQUEST with the path of the faulty field, but without its value, which may be a
 * secret.
 */
export function validateConfig(
  name: string,
  schema: ConnectionConfigSchema,
  given: ConnectionConfig,
): ConnectionConfig {
  const text = JSON.stringify(given);
  if (text.length > MAX_CONFIG_CHARACTERS)
    throw new AppError(
      'BAD_REQUEST',
      `${name} has more than the maximum of ${MAX_CONFIG_CHARACTERS.toLocaleString('en')} characters as JSON.`,
    );
  if (text.includes('\\u0000')) throw new AppError('BAD_REQUEST', `${name} must not contain NUL characters.`);
  const fields = fieldsOf(schema);
  for (const field of Object.keys(given))
    if (!Object.hasOwn(fields, field))
      throw new AppError('BAD_REQUEST', `${name} has no field ${sanitizeName(field)}.`);
  const config = JSON.parse(text) as ConnectionConfig;
  const validate = validatorOf(schema);
  if (!validate(config)) throw new AppError('BAD_REQUEST', `${messageOf(name, validate.errors?.[0])}.`);
  return config;
}

function fieldsOf(schema: ConnectionConfigSchema): Record<string, Record<string, unknown>> {
  return (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
}

function validatorOf(schema: ConnectionConfigSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  let validate = compiledSchemas.get(text);
  if (!validate) compiledSchemas.set(text, (validate = ajv.compile(JSON.parse(text))));
  return validate;
}

function messageOf(name: string, error: ErrorObject | undefined): string {
  const { instancePath = '', keyword, params = {}, message = 'is not valid' } = error ?? {};
  const path = [name, ...instancePath.split('/').slice(1).map(unescapePointer)].join('.');
  if (keyword === 'required') return `${path}.${params.missingProperty} is missing`;
  if (keyword === 'additionalProperties') return `${path} has no field ${sanitizeName(params.additionalProperty)}`;
  return `${path} ${message}`;
}

/** RFC 6901, section 4. */
function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The client chooses these names, so error messages truncate and escape them. */
function sanitizeName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
