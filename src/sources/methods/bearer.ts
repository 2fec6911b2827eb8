import type { AuthMethod } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { sendToken } from '../sessions/sign-with-session.js';

export const bearer: AuthMethod = {
  sign(request, connection) {
    const { headerName, tokenField, tokenPrefix } = connection.strategy.bearerConfig ?? {};
    if (!tokenField)
      throw new ConnectionConfigError('bearerConfig.tokenField', 'the definition of the strategy lacks this setting.');
    const token = requiredField(connection, tokenField);
    sendToken(request, { headerName, prefix: tokenPrefix ?? 'Bearer', token, field: tokenField });
  },
};
