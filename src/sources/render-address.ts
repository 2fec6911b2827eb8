import { fillTemplate, templateVariables } from '../catalog/template-variables.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import { encodePathVariable, type PathVariables } from './path-variable.js';
import {
  type AddressValues,
  type ResolvedAddressVariable,
  resolveAddressVariable,
} from './resolve-address-variable.js';

const URL_TEMPLATE = /^(?<scheme>https?):\/\/(?<host>[^/?#]+)(?<path>[^?#]*)(?<query>\?[^#]*)?$/;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const SINGLE_LABEL = new RegExp(`^${LABEL}$`);
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** A host name or IP address (IPv6 in brackets) with an optional port. */
const HOST = new RegExp(`^(?<name>${LABEL}(?:\\.${LABEL})*|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
const MAX_HOST_LENGTH = 253;

/**
 * Converts the host to lower case, and keeps all other text of the template. Splits the template before it inserts the
 * variables, so that no value can move the boundaries between host, path and query. `setting` is the name of the
 * template in error messages, such as `defaultBaseUrl`. Throws `ConnectionConfigError`.
 */
export function renderAddress(
  connection: Connection,
  values: AddressValues,
  { template, setting, variables }: { template: string; setting: string; variables?: PathVariables },
): string {
  const parts = URL_TEMPLATE.exec(template)?.groups;
  if (!parts?.scheme || !parts.host)
    throw new ConnectionConfigError(setting, 'the template is not an http or https URL.');
  const { scheme, host, path = '', query = '' } = parts;
  const variable = (name: string) => resolveAddressVariable(connection, values, name);
  // `variables` may come from a response, so they never become part of the host.
  const renderedHost = renderHost(scheme, host, setting, variable);
  return `${scheme}://${renderedHost}${renderPath(connection, values, path + query, variables)}`;
}

/** Percent-encodes the values. Values in `variables` override values of the connection. */
export function renderPath(
  connection: Connection,
  values: AddressValues,
  template: string,
  variables: PathVariables = {},
): string {
  const encoded = (name: string) => {
    const own = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return own
      ? encodePathVariable(name, own)
      : encodeURIComponent(resolveAddressVariable(connection, values, name).text);
  };
  const [path = '', ...query] = template.split('?');
  const filledPath = path.split('/').map((segment) => {
    const filled = fillTemplate(segment, encoded);
    // Two adjacent values can form `..`, so this check runs after the values are inserted.
    if (filled.split('/').some((part) => /^\.{1,2}$/.test(part)))
      throw new ConnectionConfigError(
        templateVariables(segment)[0] ?? 'path',
        'the value must not form the path segment `.` or `..`.',
      );
    return filled;
  });
  return [filledPath.join('/'), ...(query.length ? [fillTemplate(query.join('?'), encoded)] : [])].join('?');
}

function renderHost(
  scheme: string,
  template: string,
  setting: string,
  variable: (name: string) => ResolvedAddressVariable,
): string {
  const whole = /^\{\w+\}$/.test(template);
  const host = fillTemplate(template, (name) => {
    const found = variable(name);
    return whole ? renderWholeHost(scheme, found) : renderHostPart(found);
  }).toLowerCase();
  if (!isHost(`${scheme}:`, host))
    throw new ConnectionConfigError(
      templateVariables(template)[0] ?? setting,
      'the value does not form a valid host name.',
    );
  return host;
}

/** Accepts an optional port. `protocol` ends with a colon. */
export function isHost(protocol: string, host: string): boolean {
  const name = HOST.exec(host)?.groups?.name;
  // Rejects names such as 0x7f.1, which `URL` normalizes to a different host.
  return Boolean(name && name.length <= MAX_HOST_LENGTH && URL.parse(`${protocol}//${host}`)?.hostname === name);
}

/** A value may contain dots only if the schema of its field constrains the value. */
function renderHostPart({ name, text, constrained }: ResolvedAddressVariable): string {
  if (!(constrained ? LABELS : SINGLE_LABEL).test(text) && text !== '') {
    throw new ConnectionConfigError(name, 'the value cannot be part of a host name.');
  }
  return text;
}

/** A source may return its own URL instead of a host. The URL must be an origin. */
function renderWholeHost(scheme: string, { name, text, fromSource }: ResolvedAddressVariable): string {
  if (!fromSource || !text.includes('/')) return text;
  const url = URL.parse(text);
  const isOrigin =
    url?.protocol === `${scheme}:` && !url.username && !url.password && url.pathname + url.search + url.hash === '/';
  if (!isOrigin) throw new ConnectionConfigError(name, 'the source returned a URL that is not an origin.');
  return url.host;
}
