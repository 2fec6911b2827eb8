import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import type { Secrets } from '../../secrets/secret-store.js';
import { findField } from '../../sources/config-field.js';
import type { Connection } from '../../sources/connection.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { addressFieldsOf, baseUrlOf, tokenEndpointOf } from '../../sources/source-address.js';
import type { ConnectionDefinition } from './connection-definition.js';
import type { ConnectionConfig } from './validate-config.js';

/** Throws BAD_REQUEST, naming the field, where an address cannot be put together from the config. */
export function validateSourceAddress(
  { connector, strategy, taps }: ConnectionDefinition,
  config: ConnectionConfig,
  ingestionConfig: ConnectionConfig,
): void {
  if (!strategy) return;
  const connection: Connection = { connector, strategy, taps, config, ingestionConfig };
  const { variables = [] } = strategy.addressingConfig ?? connector.addressingConfig ?? {};
  rethrowFaultAsBadRequest(() => {
    // What the token endpoint will say is not known before.
    if (!variables.some(({ source }) => source === 'oauth_response')) baseUrlOf(connection);
    if (strategy.oauth2Config?.tokenEndpoint) tokenEndpointOf(connection);
  });
}

/** What is wrong with a configuration is told to whoever wrote it. */
export function rethrowFaultAsBadRequest<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConnectionConfigError) throw new AppError('BAD_REQUEST', error.message);
    throw error;
  }
}

/** The first field that addresses are made of and that another value is given to: the two configurations lead elsewhere. */
export function findChangedAddressField(before: Connection, after: Connection): string | undefined {
  const textOf = (connection: Connection, field: string): string | undefined => findField(connection, field)?.text;
  return [...addressFieldsOf(after)].find((field) => textOf(before, field) !== textOf(after, field));
}

/**
 * Whoever may configure a connection must not be able to have a stored secret sent to a host of theirs: where a field changes that
 * an address is made of, every stored secret has to be entered anew.
 */
export function rejectStoredSecrets(
  moved: string,
  strategy: Connection['strategy'],
  given: ConnectionConfig,
  secrets: Secrets,
): void {
  const kept = secretFieldsOf(strategy.configSchema).find((field) => secrets[field] !== undefined && !given[field]);
  if (kept !== undefined)
    throw new AppError('BAD_REQUEST', `authenticationConfig.${kept} must be entered anew, since ${moved} changes.`);
}
