import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { keyFieldOf, signWithAdditionalKeys } from './api-keys.js';

export const apiKeyQuery: AuthMethod = {
  sign(request, connection) {
    const parameter = connection.strategy.apiKeyConfig?.queryParam;
    if (!parameter)
      throw new ConnectionConfigError('apiKeyConfig.queryParam', 'the strategy defines no query parameter.');
    request.url.searchParams.set(parameter, requiredField(connection, keyFieldOf(connection)));
    signWithAdditionalKeys(request, connection);
  },
};
