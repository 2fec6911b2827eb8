import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { AppError } from '../../kernel/errors.js';
import type { Secrets } from '../../secrets/secret-store.js';
import { findField } from '../../sources/config-field.js';
import type { Connection } from '../../sources/connection.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { addressFieldsOf, baseUrlOf, tokenEndpointOf } from '../../sources/source-address.js';
import type { ConnectionDefinition } from './connection-definition.js';
import type { ConnectionConfig } from './validate-config.js';

/**
 * Throws BAD_REQUEST with the name of the faulty field if the config makes the base URL or the token endpoint invalid.
 */
export function validateSourceAddress(
  { connector, strategy, taps }: ConnectionDefinition,
  config: ConnectionConfig,
  ingestionConfig: ConnectionConfig,
): void {
  if (!strategy) return;
  const connection: Connection = { connector, strategy, taps, config, ingestionConfig };
  const { variables = [] } = strategy.addressingConfig ?? connector.addressingConfig ?? {};
  rethrowFaultAsBadRequest(() => {
    // Variables from the token response have no value before the first token exchange.
    if (!variables.some(({ source }) => source === 'oauth_response')) baseUrlOf(connection);
    if (strategy.oauth2Config?.tokenEndpoint) tokenEndpointOf(connection);
  });
}

/** Rethrows `ConnectionConfigError` as BAD_REQUEST, for a config that the client has submitted. */
export function rethrowFaultAsBadRequest<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConnectionConfigError) throw new AppError('BAD_REQUEST', error.message);
    throw error;
  }
}

/** Returns a config field whose new value may direct calls to a different host. */
export function findChangedAddressField(before: Connection, after: Connection): string | undefined {
  const textOf = (connection: Connection, field: string): string | undefined => findField(connection, field)?.text;
  return [...addressFieldsOf(after)].find((field) => textOf(before, field) !== textOf(after, field));
}

/**
 * Throws BAD_REQUEST if the client does not submit every stored secret again. Without this check, a caller who changes
 * an address could make the service send stored secrets to the caller's own host.
 */
export function rejectStoredSecrets(
  changedField: string,
  strategy: Connection['strategy'],
  given: ConnectionConfig,
  secrets: Secrets,
): void {
  const reused = secretFieldsOf(strategy.configSchema).find((field) => secrets[field] !== undefined && !given[field]);
  if (reused !== undefined)
    throw new AppError(
      'BAD_REQUEST',
      `authenticationConfig.${reused} must be submitted again, because ${changedField} changes.`,
    );
}
