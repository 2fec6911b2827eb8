import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const AuthMethodType = wireEnum('AuthMethodType', 'How a credential authenticates a request.', {
  api_key_header: 'API key in a header.',
  api_key_query: 'API key as a query parameter.',
  bearer: 'Bearer token in the Authorization header.',
  basic: 'User name and password, HTTP Basic (RFC 7617).',
  oauth2_refresh: 'OAuth 2.0 with a refresh token (RFC 6749, section 6).',
  oauth2_auth_code_pkce: 'OAuth 2.0 authorization code with PKCE (RFC 7636).',
  oauth2_client_credentials: 'OAuth 2.0 client credentials (RFC 6749, section 4.4).',
  oauth2_jwt_bearer: 'OAuth 2.0 JWT bearer assertion signed with a private key (RFC 7523).',
  google_domain_wide_delegation: 'Service account with domain-wide delegation.',
  session_exchange: 'Credentials posted to a sign-in endpoint, then a session token on later requests.',
  session_exchange_jwt: 'Session exchange that mints a JWT.',
  session_exchange_password: 'Session exchange with user name and password.',
  custom: 'Connector-specific; the config schema lists the fields.',
});
export type AuthMethodType = keyof typeof AuthMethodType;

export const TokenEndpointAuthMethod = wireEnum(
  'TokenEndpointAuthMethod',
  'How the client authenticates at the token endpoint (RFC 7591, OpenID Connect Core section 9).',
  {
    client_secret_basic: 'Client id and secret as HTTP Basic.',
    client_secret_post: 'Client id and secret in the form.',
    client_secret_jwt: 'Assertion signed with the client secret.',
    private_key_jwt: 'Assertion signed with a private key.',
    none: 'Public client: only the client id.',
  },
);
export type TokenEndpointAuthMethod = keyof typeof TokenEndpointAuthMethod;

@PlainObjectType('Where an API key goes (api_key_header, api_key_query).')
export class ApiKeyConfig {
  @OptionalField('Header that carries the key.')
  headerName?: string;

  @OptionalField('Query parameter that carries the key.')
  queryParam?: string;
}

@PlainObjectType('Which config fields make the HTTP Basic pair (basic).')
export class BasicConfig {
  @OptionalField('Config field with the user name.')
  usernameField?: string;

  @OptionalField('Config field with the password.')
  passwordField?: string;

  @OptionalField('Fixed password, where the key is the user name and the vendor wants a constant or nothing.')
  passwordValue?: string;
}

@PlainObjectType('HTTP Basic with a pair that the customer has encoded already (basic).')
export class PreEncodedBasicConfig {
  @OptionalField('Config field with the encoded pair.')
  tokenField?: string;
}

@PlainObjectType('How a bearer token is sent (bearer, and the token that an exchange returned).')
export class BearerConfig {
  @OptionalField('Header that carries the token; `Authorization` by default.')
  headerName?: string;

  @OptionalField('Config field with the token.')
  tokenField?: string;

  @OptionalField('Text before the token; `Bearer` by default.')
  tokenPrefix?: string;
}

@PlainObjectType('The token exchange of an OAuth 2.0 or session method.')
export class OAuth2Config {
  @OptionalField(
    'Address that issues tokens; also the sign-in endpoint of the session methods. May hold address variables.',
  )
  tokenEndpoint?: string;

  @OptionalField('Address that the browser is sent to.')
  authorizeUrl?: string;

  @OptionalField('Value of the `audience` parameter.')
  audienceParam?: string;

  @OptionalField('Grant type that is sent, such as `client_credentials`.')
  grantType?: string;

  @OptionalField('Name of the user name in the exchange request.')
  usernameField?: string;

  @OptionalField('Name of the password in the exchange request.')
  passwordField?: string;

  @OptionalField(
    'Whether the sign-in sends a PKCE challenge (RFC 7636); `true` by default. `false` only for sources that reject one, with a client that authenticates.',
  )
  pkce?: boolean;

  @OptionalField('Scopes that are always asked for.', () => [String])
  scopes?: string[];

  @OptionalField('How the client authenticates.', () => TokenEndpointAuthMethod)
  tokenEndpointAuthMethod?: TokenEndpointAuthMethod;

  @OptionalField('Further parameters of the exchange request.', () => JsonObject)
  tokenEndpointExtraParams?: Record<string, unknown>;

  @OptionalField('Text before the token on later requests; `Bearer` by default.')
  tokenPrefix?: string;

  @OptionalField('HTTP statuses of the source that mean: refresh the token and try once more.', () => [Int])
  tokenRefreshCodes?: number[];

  @OptionalField('JMESPath to the token in the reply; `access_token` by default.')
  tokenResponsePath?: string;
}
