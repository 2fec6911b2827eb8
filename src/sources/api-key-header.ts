import { onlySecretField, requiredField } from './config-field.js';
import { ConnectionFault } from './connection-fault.js';
import { type AuthMethod, setHeader } from './method.js';

export const apiKeyHeader: AuthMethod = {
  sign(request, connection) {
    const header = connection.strategy.apiKeyConfig?.headerName;
    if (!header) throw new ConnectionFault('apiKeyConfig.headerName', 'the strategy names no header.');
    const field = onlySecretField(connection);
    setHeader(request, header, requiredField(connection, field), field);
  },
};
