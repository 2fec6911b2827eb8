import type { AuthMethodType } from '../../catalog/model/auth-method-configs.js';
import type { AuthMethod } from '../auth-method.js';
import { apiKeyHeader } from './api-key-header.js';
import { apiKeyQuery } from './api-key-query.js';
import { basic } from './basic.js';
import { bearer } from './bearer.js';
import { custom } from './custom.js';
import { googleDomainWideDelegation } from './google-domain-wide-delegation.js';
import { oauth2AuthCodePkce } from './oauth2-auth-code-pkce.js';
import { oauth2ClientCredentials } from './oauth2-client-credentials.js';
import { oauth2JwtBearer } from './oauth2-jwt-bearer.js';
import { oauth2Refresh } from './oauth2-refresh.js';
import { sessionExchange } from './session-exchange.js';
import { sessionExchangeJwt } from './session-exchange-jwt.js';
import { sessionExchangePassword } from './session-exchange-password.js';

export const authMethods: Readonly<Record<AuthMethodType, AuthMethod>> = {
  api_key_header: apiKeyHeader,
  api_key_query: apiKeyQuery,
  bearer,
  basic,
  oauth2_refresh: oauth2Refresh,
  oauth2_auth_code_pkce: oauth2AuthCodePkce,
  oauth2_client_credentials: oauth2ClientCredentials,
  oauth2_jwt_bearer: oauth2JwtBearer,
  google_domain_wide_delegation: googleDomainWideDelegation,
  session_exchange: sessionExchange,
  session_exchange_jwt: sessionExchangeJwt,
  session_exchange_password: sessionExchangePassword,
  custom,
};
