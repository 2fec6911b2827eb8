import { fillTemplate } from '../../catalog/template-variables.js';
import type { ExchangeContext } from '../auth-method.js';
import { findField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import type { Session } from '../session.js';
import type { ClientAuthentication } from './client-authentication.js';
import { renameParameters } from './parameter-names.js';
import { requestSession, type SessionRequest } from './request-session.js';
import { audienceOf } from './sign-assertion.js';

export interface TokenGrant extends Pick<SessionRequest, 'previous' | 'callback'> {
  /** The request omits empty values. */
  readonly form: Readonly<Record<string, string>> & { readonly grant_type: string };
  readonly client?: ClientAuthentication;
}

/** Parameters of token requests that contain secrets (RFC 6749, RFC 7521, RFC 7636). */
const ONE_TIME_PARAMETERS = ['code', 'code_verifier', 'refresh_token', 'assertion', 'client_assertion'];

/** RFC 6749, section 4. Adds the extra parameters of the strategy. Throws the errors of `requestSession`. */
export function exchangeToken(exchange: ExchangeContext, { form, client, ...rest }: TokenGrant): Promise<Session> {
  const { connection } = exchange;
  const own: Record<string, string> = { ...form, ...client?.form };
  const renamed = renameParameters(own, connection.strategy.oauth2Config);
  const all = { ...extraParameters(connection), ...audienceParameter(connection, own), ...renamed };
  const oneTimeSecrets = ONE_TIME_PARAMETERS.flatMap((name) => own[name] ?? []);
  return requestSession(exchange, { ...rest, ...encode(connection, all), headers: client?.headers, oneTimeSecrets });
}

function encode(
  { strategy }: Connection,
  parameters: Readonly<Record<string, string>>,
): Pick<SessionRequest, 'body' | 'contentType'> {
  const sent = Object.entries(parameters).filter(([, value]) => value !== '');
  if (strategy.oauth2Config?.tokenRequestEncoding === 'json')
    return { body: JSON.stringify(Object.fromEntries(sent)), contentType: 'application/json' };
  return { body: new URLSearchParams(sent).toString(), contentType: 'application/x-www-form-urlencoded' };
}

/** Omits the parameter if the request contains an assertion, because the assertion contains the audience. */
function audienceParameter(connection: Connection, form: Readonly<Record<string, string>>): Record<string, string> {
  const { audienceParam } = connection.strategy.oauth2Config ?? {};
  if (!audienceParam || form.assertion || form.client_assertion) return {};
  return { audience: audienceOf(connection) };
}

function extraParameters(connection: Connection): Record<string, string> {
  const extra = Object.entries(connection.strategy.oauth2Config?.tokenEndpointExtraParams ?? {});
  return Object.fromEntries(
    extra.map(([name, value]) => {
      if (typeof value === 'object')
        throw new ConnectionConfigError('tokenEndpointExtraParams', 'a form parameter cannot be an object.');
      return [name, fillTemplate(String(value), (field) => findField(connection, field)?.text ?? '')];
    }),
  );
}
