import type { AddressingVariable } from '../catalog/model/addressing-config.js';
import { type FieldSchema, findField } from './config-field.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';

export type AddressValues = Readonly<Record<string, string>> | undefined;

export interface ResolvedAddressVariable {
  readonly name: string;
  readonly text: string;
  /**
   * Whether the field's schema has a pattern or enum. If so, the schema determines whether the value may contain dots.
   */
  readonly constrained: boolean;
  /** Whether the value comes from the token response. */
  readonly fromSource: boolean;
}

type Parts = Pick<Connection, 'connector' | 'strategy'>;

/** Variables of the strategy override variables of the connector. */
export function findDeclaredVariable({ strategy, connector }: Parts, name: string): AddressingVariable | undefined {
  const lists = [strategy.addressingConfig?.variables, connector.addressingConfig?.variables];
  return lists.flatMap((list) => list ?? []).find((variable) => variable.name === name);
}

export function sourceSuppliedVariables({ strategy, connector }: Parts): AddressingVariable[] {
  const lists = [strategy.addressingConfig?.variables, connector.addressingConfig?.variables];
  return lists.flatMap((list) => list ?? []).filter(({ source }) => source === 'oauth_response');
}

/**
 * Returns an empty text for an optional variable without a value. Throws `ConnectionConfigError` for a value that is
 * missing, secret or unprintable, or that the field's schema rejects.
 */
export function resolveAddressVariable(
  connection: Connection,
  values: AddressValues,
  name: string,
): ResolvedAddressVariable {
  const declared = findDeclaredVariable(connection, name);
  const fromSource = declared?.source === 'oauth_response';
  const field = fromSource ? sourceValue(values, name) : findField(connection, name);
  const { schema, text } = field ?? { schema: undefined, text: '' };
  if (!field && declared?.required !== false)
    throw new ConnectionConfigError(name, 'a value is required, because the URL of the source contains it.');
  // DNS resolvers, proxies and logs receive host names and paths in plain text.
  if (schema?.secret) throw new ConnectionConfigError(name, 'a secret cannot be part of a URL.');
  if (isUnprintable(text) || !isAllowed(text, schema))
    throw new ConnectionConfigError(
      name,
      'the value contains control characters or does not match the schema of the field.',
    );
  return { name, text, constrained: Boolean(schema?.pattern || schema?.enum), fromSource };
}

function sourceValue(values: AddressValues, name: string): { text: string; schema?: FieldSchema } | undefined {
  const text = values && Object.hasOwn(values, name) ? values[name] : undefined;
  return text === undefined ? undefined : { text };
}

function isUnprintable(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** The definition may have changed since the configuration was stored. */
function isAllowed(text: string, schema: FieldSchema | undefined): boolean {
  if (schema?.pattern && !new RegExp(schema.pattern, 'u').test(text)) return false;
  return !schema?.enum || schema.enum.some((value) => String(value) === text);
}
