import type { ConnectorDefinition } from '../../../src/catalog/definitions/definition.js';
import { aFakeVendorConnector } from '../vendors/fake-vendor-definitions.js';
import { aCodeStrategy } from '../vendors/vendor-strategies.js';

/** Name with markup and a character that reverses the text direction. */
export const HOSTILE_NAME = `<script>alert(1)</script> & "Co" 'n' \u202Eevil`;

export function signInConnectors({ origin, issuer }: { origin: string; issuer: string }): ConnectorDefinition[] {
  const strategy = aCodeStrategy(issuer, 'client_secret_post');
  const tokenEndpoint = `${origin}/own-token`;
  const names = { clientSecretParam: 'secret', codeParam: 'auth_code', tokenRequestEncoding: 'json' } as const;
  return [
    aFakeVendorConnector('realm', {
      defaultBaseUrl: undefined,
      addressingConfig: {
        ...{ scheme: 'http', host: new URL(origin).host, basePath: '/{realm}' },
        variables: [{ name: 'realm', source: 'oauth_response', oauthResponsePath: 'callback.realm', required: true }],
      },
      supportedAuthStrategies: [strategy],
    }),
    aFakeVendorConnector('own-token', {
      defaultBaseUrl: `${origin}/bearer`,
      supportedAuthStrategies: [{ ...strategy, oauth2Config: { ...strategy.oauth2Config, tokenEndpoint } }],
    }),
    aFakeVendorConnector('without-pkce', {
      defaultBaseUrl: `${origin}/bearer`,
      supportedAuthStrategies: [
        { ...strategy, oauth2Config: { ...strategy.oauth2Config, tokenEndpoint, pkce: false } },
      ],
    }),
    aFakeVendorConnector('renamed', {
      name: 'Renamed',
      defaultBaseUrl: `${origin}/bearer`,
      supportedAuthStrategies: [
        { ...strategy, oauth2Config: { ...strategy.oauth2Config, ...names, tokenEndpoint: `${origin}/renamed` } },
      ],
    }),
    aFakeVendorConnector('evil', {
      name: HOSTILE_NAME,
      defaultBaseUrl: `${origin}/bearer`,
      supportedAuthStrategies: [strategy],
    }),
    aFakeVendorConnector('by-shop', {
      defaultBaseUrl: `${origin}/bearer`,
      ingestionConfigSchema: {
        type: 'object',
        properties: { shop: { type: 'string', pattern: '^[a-z./]+$' } },
        additionalProperties: false,
      },
      supportedAuthStrategies: [
        { ...strategy, oauth2Config: { ...strategy.oauth2Config, authorizeUrl: 'https://{shop}.example.test/auth' } },
      ],
    }),
  ];
}

/** The authorization server belongs to the customer, and each connection configures its `host`. */
export function ownServerConnector(origin: string): ConnectorDefinition {
  const strategy = aCodeStrategy('http://{host}', 'private_key_jwt');
  const { properties, ...schema } = strategy.configSchema as { properties: object };
  const host = { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+$' };
  return aFakeVendorConnector('own-server', {
    defaultBaseUrl: `${origin}/oauth2-auth-code-pkce`,
    supportedAuthStrategies: [{ ...strategy, configSchema: { ...schema, properties: { ...properties, host } } }],
  });
}
