import { secretFieldsOf } from '../catalog/secret-fields.js';
import { AppError } from '../kernel/errors.js';
import type { Secrets } from '../secrets/secret-store.js';
import { findField } from '../sources/config-field.js';
import type { Connection } from '../sources/connection.js';
import { ConnectionFault } from '../sources/connection-fault.js';
import { addressFields, baseUrlOf, tokenEndpointOf } from '../sources/source-address.js';
import type { Config } from './check-config.js';
import type { Definition } from './chosen-definition.js';

/** Throws BAD_REQUEST, naming the field, where an address cannot be put together from the config. */
export function checkAddress({ connector, strategy, taps }: Definition, config: Config, ingestionConfig: Config): void {
  if (!strategy) return;
  const connection: Connection = { connector, strategy, taps, config, ingestionConfig };
  const { variables = [] } = strategy.addressingConfig ?? connector.addressingConfig ?? {};
  asBadRequest(() => {
    // What the token endpoint will say is not known before.
    if (!variables.some(({ source }) => source === 'oauth_response')) baseUrlOf(connection);
    if (strategy.oauth2Config?.tokenEndpoint) tokenEndpointOf(connection);
  });
}

/** What is wrong with a configuration is told to whoever wrote it. */
export function asBadRequest<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConnectionFault) throw new AppError('BAD_REQUEST', error.message);
    throw error;
  }
}

/** The first field that addresses are made of and that another value is given to: the two configurations lead elsewhere. */
export function movedField(before: Connection, after: Connection): string | undefined {
  const textOf = (connection: Connection, field: string): string | undefined => findField(connection, field)?.text;
  return [...addressFields(after)].find((field) => textOf(before, field) !== textOf(after, field));
}

/**
 * Whoever may configure a connection must not be able to have a stored secret sent to a host of theirs: where a field changes that
 * an address is made of, every stored secret has to be entered anew.
 */
export function refuseKeptSecret(
  moved: string,
  strategy: Connection['strategy'],
  given: Config,
  secrets: Secrets,
): void {
  const kept = secretFieldsOf(strategy.configSchema).find((field) => secrets[field] !== undefined && !given[field]);
  if (kept !== undefined)
    throw new AppError('BAD_REQUEST', `authenticationConfig.${kept} must be entered anew, since ${moved} changes.`);
}
