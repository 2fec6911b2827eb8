import { onlySecretField, requiredField } from './config-field.js';
import { ConnectionFault } from './connection-fault.js';
import type { AuthMethod } from './method.js';

export const apiKeyQuery: AuthMethod = {
  sign({ url }, connection) {
    const parameter = connection.strategy.apiKeyConfig?.queryParam;
    if (!parameter) throw new ConnectionFault('apiKeyConfig.queryParam', 'the strategy names no parameter.');
    url.searchParams.set(parameter, requiredField(connection, onlySecretField(connection)));
  },
};
