import type { AuthMethod } from '../auth-method.js';
import { onlySecretField, requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';

export const apiKeyQuery: AuthMethod = {
  sign({ url }, connection) {
    const parameter = connection.strategy.apiKeyConfig?.queryParam;
    if (!parameter)
      throw new ConnectionConfigError('apiKeyConfig.queryParam', 'the strategy defines no query parameter.');
    url.searchParams.set(parameter, requiredField(connection, onlySecretField(connection)));
  },
};
