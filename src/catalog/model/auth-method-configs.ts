import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const AuthMethodType = wireEnum('AuthMethodType', 'How a credential authenticates a request.', {
  api_key_header: 'API key in a header.',
  api_key_query: 'API key as a query parameter.',
  bearer: 'Bearer token in the Authorization header.',
  basic: 'HTTP Basic with a user name and password (RFC 7617).',
  oauth2_refresh: 'OAuth 2.0 with a refresh token (RFC 6749, section 6).',
  oauth2_auth_code_pkce: 'OAuth 2.0 authorization code with PKCE (RFC 7636).',
  oauth2_client_credentials: 'OAuth 2.0 client credentials (RFC 6749, section 4.4).',
  oauth2_jwt_bearer: 'OAuth 2.0 JWT bearer assertion signed with a private key (RFC 7523).',
  google_domain_wide_delegation: 'Service account with domain-wide delegation.',
  session_exchange: 'Credentials posted to a sign-in endpoint that returns a session token for later requests.',
  session_exchange_jwt: 'Session exchange with a JWT signed by the service.',
  session_exchange_password: 'Session exchange with a user name and password.',
  custom: 'Connector-specific code. `configSchema` lists the config fields that this code uses.',
});
export type AuthMethodType = keyof typeof AuthMethodType;

export const TokenEndpointAuthMethod = wireEnum(
  'TokenEndpointAuthMethod',
  'How the client authenticates at the token endpoint (RFC 7591, OpenID Connect Core section 9).',
  {
    client_secret_basic: 'Client id and secret as HTTP Basic.',
    client_secret_post: 'Client id and secret as form parameters.',
    client_secret_jwt: 'JWT assertion signed with the client secret.',
    private_key_jwt: 'JWT assertion signed with a private key.',
    none: 'Public client that sends only its client id.',
  },
);
export type TokenEndpointAuthMethod = keyof typeof TokenEndpointAuthMethod;

@PlainObjectType(
  'A secret that requests contain in addition to the API key. Exactly one of `headerName` and `queryParam` is set.',
)
export class AdditionalApiKey {
  @RequiredField('Config field with the secret.')
  field: string;

  @OptionalField('Header that carries the secret.')
  headerName?: string;

  @OptionalField('Query parameter that carries the secret.')
  queryParam?: string;
}

@PlainObjectType('Header or query parameter of an API key, for the types `api_key_header` and `api_key_query`.')
export class ApiKeyConfig {
  @OptionalField('Header that carries the key.')
  headerName?: string;

  @OptionalField('Config field with the key. Required if the config schema has several secret fields.')
  keyField?: string;

  @OptionalField('Query parameter that carries the key.')
  queryParam?: string;

  @OptionalField('Further secrets that each request contains.', () => [AdditionalApiKey])
  additionalKeys?: AdditionalApiKey[];
}

@PlainObjectType('Names of the config fields with the user name and the password, for the type `basic`.')
export class BasicConfig {
  @OptionalField('Config field with the user name.')
  usernameField?: string;

  @OptionalField('Config field with the password.')
  passwordField?: string;

  @OptionalField('Fixed password, for vendors that take an API key as the user name. Defaults to an empty password.')
  passwordValue?: string;
}

@PlainObjectType('Credentials that the customer supplies in base64, for the type `basic`.')
export class PreEncodedBasicConfig {
  @OptionalField('Config field with the encoded `username:password` pair.')
  tokenField?: string;
}

@PlainObjectType(
  'Header, config field and prefix of the bearer token, for the type `bearer` and all types that obtain a token.',
)
export class BearerConfig {
  @OptionalField('Header that carries the token. Defaults to `Authorization`.')
  headerName?: string;

  @OptionalField('Config field with the token.')
  tokenField?: string;

  @OptionalField(
    'Prefix of the token. Defaults to `Bearer`. A space follows the prefix, unless the prefix ends with `=`.',
  )
  tokenPrefix?: string;
}

export const TokenRequestEncoding = wireEnum('TokenRequestEncoding', 'Encoding of the body of a token request.', {
  form: 'Form parameters (RFC 6749, section 4.1.3).',
  json: 'JSON object.',
});
export type TokenRequestEncoding = keyof typeof TokenRequestEncoding;

@PlainObjectType('Settings of the token exchange, for OAuth 2.0 and session methods.')
export class OAuth2Config {
  @OptionalField(
    'URL of the token endpoint. For `session_exchange` methods, URL to which the service posts the credentials. May contain variables in braces.',
  )
  tokenEndpoint?: string;

  @OptionalField('URL of the authorization page, which the browser opens for the sign-in.')
  authorizeUrl?: string;

  @OptionalField(
    'Value of the `audience` parameter, and of the `aud` claim of assertions. The claim defaults to `tokenEndpoint`.',
  )
  audienceParam?: string;

  @OptionalField(
    'Value of `grant_type` in the token request. Defaults to the standard value for the type of the strategy, such as `client_credentials`.',
  )
  grantType?: string;

  @OptionalField('Name of the parameter for the user name in the request to `tokenEndpoint`.')
  usernameField?: string;

  @OptionalField('Name of the parameter for the password in the request to `tokenEndpoint`.')
  passwordField?: string;

  @OptionalField(
    'Whether the sign-in sends a PKCE challenge (RFC 7636). Defaults to `true`. Use `false` only for a vendor that rejects the challenge. With `false`, `tokenEndpointAuthMethod` must not be `none`.',
  )
  pkce?: boolean;

  @OptionalField(
    'Name of the parameter for the client id. Applies to the URL of the authorization page and to the token request. Defaults to `client_id`.',
  )
  clientIdParam?: string;

  @OptionalField('Name of the parameter for the client secret in the token request. Defaults to `client_secret`.')
  clientSecretParam?: string;

  @OptionalField(
    'Name of the parameter for the authorization code. Applies to the redirect from the vendor and to the token request. Defaults to `code`.',
  )
  codeParam?: string;

  @OptionalField('Encoding of token requests of the OAuth 2.0 methods. Defaults to `form`.', () => TokenRequestEncoding)
  tokenRequestEncoding?: TokenRequestEncoding;

  @OptionalField(
    'Scopes to request. In requests, these scopes precede the `defaultScopes` of the strategy. A sign-in can request fewer scopes, but only scopes of these two lists.',
    () => [String],
  )
  scopes?: string[];

  @OptionalField(
    'Client authentication at the token endpoint. Defaults to `client_secret_post`. For the type `oauth2_jwt_bearer`, the default is no client authentication.',
    () => TokenEndpointAuthMethod,
  )
  tokenEndpointAuthMethod?: TokenEndpointAuthMethod;

  @OptionalField(
    'Additional parameters of the request to `tokenEndpoint`. Values may contain variables in braces.',
    () => JsonObject,
  )
  tokenEndpointExtraParams?: Record<string, unknown>;

  @OptionalField(
    'Prefix of the token in requests to the source. Defaults to `bearerConfig.tokenPrefix` or, without that setting, to `Bearer`.',
  )
  tokenPrefix?: string;

  @OptionalField(
    'HTTP statuses after which the service refreshes the token and repeats the request once. Defaults to `[401]`.',
    () => [Int],
  )
  tokenRefreshCodes?: number[];

  @OptionalField('JMESPath to the token in the response. Defaults to `access_token`.')
  tokenResponsePath?: string;
}
