import type { TokenEndpointAuthMethod } from '../../catalog/model/auth-method-configs.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { audienceOf, signAssertion } from './sign-assertion.js';

export interface ClientAuthentication {
  readonly form: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Authenticate = (connection: Connection) => ClientAuthentication | Promise<ClientAuthentication>;

const AUTHENTICATIONS: Readonly<Record<TokenEndpointAuthMethod, Authenticate>> = {
  client_secret_basic: (connection) => {
    // Form-encodes id and secret first, so that the id may contain a colon (RFC 6749, section 2.3.1).
    const pair = [requiredField(connection, 'clientId'), requiredField(connection, 'clientSecret')].map(formEncoded);
    return { form: {}, headers: { authorization: `Basic ${Buffer.from(pair.join(':')).toString('base64')}` } };
  },
  client_secret_post: (connection) => ({
    form: {
      client_id: requiredField(connection, 'clientId'),
      client_secret: requiredField(connection, 'clientSecret'),
    },
  }),
  client_secret_jwt: async (connection) => asClientAssertion(await clientAssertion(connection, 'clientSecret')),
  private_key_jwt: async (connection) => asClientAssertion(await clientAssertion(connection, 'privateKey')),
  none: (connection) => ({ form: { client_id: requiredField(connection, 'clientId') } }),
};

export async function authenticateClient(connection: Connection): Promise<ClientAuthentication> {
  return AUTHENTICATIONS[connection.strategy.oauth2Config?.tokenEndpointAuthMethod ?? 'client_secret_post'](connection);
}

/** RFC 7521, section 4.2. */
export function asClientAssertion(assertion: string): ClientAuthentication {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { form: { client_assertion_type: type, client_assertion: assertion } };
}

function clientAssertion(connection: Connection, by: 'clientSecret' | 'privateKey'): Promise<string> {
  const clientId = requiredField(connection, 'clientId');
  return signAssertion(connection, { iss: clientId, sub: clientId, aud: audienceOf(connection) }, { by });
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
