import { type AuthMethod, setHeader } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';

/** RFC 7617, in UTF-8. */
export const basic: AuthMethod = {
  sign(request, connection) {
    const encodedField = connection.strategy.preEncodedBasicConfig?.tokenField;
    const pair = encodedField ? requiredField(connection, encodedField) : encodedPair(connection);
    setHeader(request, 'Authorization', `Basic ${pair}`, encodedField ?? 'basicConfig');
  },
};

function encodedPair(connection: Connection): string {
  const { usernameField, passwordField, passwordValue } = connection.strategy.basicConfig ?? {};
  if (!usernameField)
    throw new ConnectionConfigError('basicConfig.usernameField', 'the definition of the strategy lacks this setting.');
  const username = requiredField(connection, usernameField);
  // The source would interpret the text after the first colon as the password.
  if (username.includes(':')) throw new ConnectionConfigError(usernameField, 'a user name cannot contain a colon.');
  const password = passwordField ? requiredField(connection, passwordField) : (passwordValue ?? '');
  return Buffer.from(`${username}:${password}`).toString('base64');
}
