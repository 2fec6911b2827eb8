import { requiredField } from './config-field.js';
import { ConnectionFault } from './connection-fault.js';
import type { AuthMethod } from './method.js';
import { sendToken } from './session-token.js';

export const bearer: AuthMethod = {
  sign(request, connection) {
    const { headerName, tokenField, tokenPrefix } = connection.strategy.bearerConfig ?? {};
    if (!tokenField) throw new ConnectionFault('bearerConfig.tokenField', 'the strategy names no field.');
    const token = requiredField(connection, tokenField);
    sendToken(request, { headerName, prefix: tokenPrefix ?? 'Bearer', token, field: tokenField });
  },
};
