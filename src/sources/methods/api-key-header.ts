import { type AuthMethod, setHeader } from '../auth-method.js';
import { onlySecretField, requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';

export const apiKeyHeader: AuthMethod = {
  sign(request, connection) {
    const header = connection.strategy.apiKeyConfig?.headerName;
    if (!header) throw new ConnectionConfigError('apiKeyConfig.headerName', 'the strategy defines no header.');
    const field = onlySecretField(connection);
    setHeader(request, header, requiredField(connection, field), field);
  },
};
