import { fillTemplate } from '../../catalog/template-variables.js';
import type { ExchangeContext } from '../auth-method.js';
import { findField } from '../config-field.js';
import type { Connection } from '../connection.js';
import { ConnectionConfigError } from '../connection-config-error.js';
import type { Session } from '../session.js';
import { requestSession } from './request-session.js';

/**
 * Replaces `{name}` in the extra parameters of the strategy with `minted[name]`, or with the value of the config field
 * `name`. Throws the errors of `requestSession`.
 */
export function exchangeSession(
  exchange: ExchangeContext,
  { parameters = {}, minted = {} }: { parameters?: Record<string, string>; minted?: Record<string, string> },
): Promise<Session> {
  const { connection } = exchange;
  const textOf = (name: string) => minted[name] ?? fieldText(connection, name);
  const extra = fillTemplates(connection.strategy.oauth2Config?.tokenEndpointExtraParams ?? {}, textOf) as object;
  return requestSession(exchange, {
    body: JSON.stringify({ ...extra, ...parameters }),
    contentType: 'application/json',
    oneTimeSecrets: Object.values(minted),
  });
}

function fieldText(connection: Connection, name: string): string {
  const field = findField(connection, name);
  // Fields that are not secret may be empty, such as the name of a default site.
  if (!field || (field.schema?.secret && !field.text)) throw new ConnectionConfigError(name, 'the field has no value.');
  return field.text;
}

function fillTemplates(value: unknown, textOf: (name: string) => string): unknown {
  if (typeof value === 'string') return fillTemplate(value, textOf);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillTemplates(item, textOf)]));
}
