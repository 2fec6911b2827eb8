import { type AuthMethod, setHeader } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { keyFieldOf, signWithAdditionalKeys } from './api-keys.js';

export const apiKeyHeader: AuthMethod = {
  sign(request, connection) {
    const header = connection.strategy.apiKeyConfig?.headerName;
    if (!header) throw new ConnectionConfigError('apiKeyConfig.headerName', 'the strategy defines no header.');
    const field = keyFieldOf(connection);
    setHeader(request, header, requiredField(connection, field), field);
    signWithAdditionalKeys(request, connection);
  },
};
