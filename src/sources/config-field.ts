import { secretFieldsOf } from '../catalog/secret-fields.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';

/** JSON Schema keywords that affect URLs and secrets. */
export interface FieldSchema {
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly secret?: boolean;
}

export interface ConfigField {
  readonly text: string;
  readonly schema?: FieldSchema;
}

type Parts = Pick<Connection, 'connector' | 'strategy'>;
type Schema = Readonly<Record<string, unknown>> | null | undefined;

/** A value in either config takes precedence over a default in either schema. */
export function findField(connection: Connection, name: string): ConfigField | undefined {
  const { config, ingestionConfig } = connection;
  const [ofConfig, ofIngestion] = schemasOf(connection).map((schema) => fieldSchema(schema, name));
  return (
    fieldFrom(name, ownValue(config, name), ofConfig) ??
    fieldFrom(name, ownValue(ingestionConfig, name), ofIngestion) ??
    fieldFrom(name, ofConfig?.default, ofConfig) ??
    fieldFrom(name, ofIngestion?.default, ofIngestion)
  );
}

/** Throws `ConnectionConfigError` if the field is missing or empty. */
export function requiredField(connection: Connection, name: string): string {
  const text = findField(connection, name)?.text;
  if (!text) throw new ConnectionConfigError(name, 'the field has no value.');
  return text;
}

export function optionalField(connection: Connection, name: string): string | undefined {
  return findField(connection, name)?.text || undefined;
}

/**
 * Returns the name of the only secret field, for strategies whose settings do not name this field. Throws
 * `ConnectionConfigError` unless exactly one field is secret.
 */
export function onlySecretField({ strategy }: Pick<Connection, 'strategy'>): string {
  const secrets = secretFieldsOf(strategy.configSchema);
  const [name] = secrets;
  if (!name || secrets.length > 1)
    throw new ConnectionConfigError('configSchema', 'the schema must have exactly one secret field.');
  return name;
}

function schemasOf({ strategy, connector }: Parts): [Schema, Schema] {
  return [strategy.configSchema, strategy.ingestionConfigSchema ?? connector.ingestionConfigSchema];
}

function fieldFrom(name: string, value: unknown, schema: FieldSchema | undefined): ConfigField | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' || !String(value).isWellFormed()) {
    throw new ConnectionConfigError(name, 'the value must be well-formed text, a number or a boolean.');
  }
  return { text: String(value), schema };
}

function fieldSchema(schema: Schema, name: string): FieldSchema | undefined {
  return (ownValue(propertiesOf(schema), name) as FieldSchema | null | undefined) ?? undefined;
}

function propertiesOf(schema: Schema): Readonly<Record<string, FieldSchema | null>> {
  return (schema?.properties as Record<string, FieldSchema | null> | null | undefined) ?? {};
}

function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
