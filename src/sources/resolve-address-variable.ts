import type { AddressingVariable } from '../catalog/model/addressing-config.js';
import { type FieldSchema, findField } from './config-field.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';

export type AddressValues = Readonly<Record<string, string>> | undefined;

/** A variable of an address, and what its field's own schema lets stand there. */
export interface ResolvedAddressVariable {
  readonly name: string;
  readonly text: string;
  /** Whether the schema of the field says which texts are good, so that dots are no accident. */
  readonly constrained: boolean;
  /** Whether the source itself named it, when a token was obtained. */
  readonly fromSource: boolean;
}

type Parts = Pick<Connection, 'connector' | 'strategy'>;

/** Declared variables: those of the strategy hide those of the connector. */
export function findDeclaredVariable({ strategy, connector }: Parts, name: string): AddressingVariable | undefined {
  const lists = [strategy.addressingConfig?.variables, connector.addressingConfig?.variables];
  return lists.flatMap((list) => list ?? []).find((variable) => variable.name === name);
}

/** Names of all variables that the source itself supplies. */
export function sourceSuppliedVariables({ strategy, connector }: Parts): AddressingVariable[] {
  const lists = [strategy.addressingConfig?.variables, connector.addressingConfig?.variables];
  return lists.flatMap((list) => list ?? []).filter(({ source }) => source === 'oauth_response');
}

/** Throws `ConnectionConfigError` for a value that is missing, secret, unprintable, or not what the field's schema allows. */
export function resolveAddressVariable(
  connection: Connection,
  values: AddressValues,
  name: string,
): ResolvedAddressVariable {
  const declared = findDeclaredVariable(connection, name);
  const fromSource = declared?.source === 'oauth_response';
  const field = fromSource ? sourceValue(values, name) : findField(connection, name);
  const { schema, text } = field ?? { schema: undefined, text: '' };
  if (!field && declared?.required !== false) throw new ConnectionConfigError(name, 'the address needs a value here.');
  // A host name goes to resolvers and logs in the clear, and so do paths.
  if (schema?.secret) throw new ConnectionConfigError(name, 'a secret cannot be part of an address.');
  if (isUnprintable(text) || !isAllowed(text, schema))
    throw new ConnectionConfigError(name, 'the value is not allowed.');
  return { name, text, constrained: Boolean(schema?.pattern || schema?.enum), fromSource };
}

function sourceValue(values: AddressValues, name: string): { text: string; schema?: FieldSchema } | undefined {
  const text = values && Object.hasOwn(values, name) ? values[name] : undefined;
  return text === undefined ? undefined : { text };
}

function isUnprintable(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** Definitions change after a configuration was stored, so its rules are asked again here. */
function isAllowed(text: string, schema: FieldSchema | undefined): boolean {
  if (schema?.pattern && !new RegExp(schema.pattern, 'u').test(text)) return false;
  return !schema?.enum || schema.enum.some((value) => String(value) === text);
}
