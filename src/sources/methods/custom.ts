import type { AuthMethod } from '../auth-method.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import { signDatadogRequest } from './datadog-two-keys.js';
import { signNetsuiteRequest } from './netsuite-tba.js';
import { signSnowflakeRequest } from './snowflake-key-pair-jwt.js';

const HOOKS: Readonly<Record<string, AuthMethod['sign']>> = {
  datadog_two_keys: signDatadogRequest,
  netsuite_tba: signNetsuiteRequest,
  snowflake_key_pair_jwt: signSnowflakeRequest,
};

/** For authentication methods that the settings of a strategy cannot describe. */
export const custom: AuthMethod = {
  sign(request, connection, session) {
    const hook = connection.strategy.hook ?? '';
    const sign = Object.hasOwn(HOOKS, hook) ? HOOKS[hook] : undefined;
    if (!sign) throw new ConnectionConfigError('hook', 'the hook does not exist.');
    return sign(request, connection, session);
  },
};
