import { fillTemplate, templateVariables } from '../catalog/template-variables.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import {
  type AddressValues,
  type ResolvedAddressVariable,
  resolveAddressVariable,
} from './resolve-address-variable.js';

const URL_TEMPLATE = /^(?<scheme>https?):\/\/(?<host>[^/?#]+)(?<path>[^?#]*)(?<query>\?[^#]*)?$/;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const SINGLE_LABEL = new RegExp(`^${LABEL}$`);
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** A name or address, and perhaps a port; the brackets are those of IPv6. */
const HOST = new RegExp(`^(?<name>${LABEL}(?:\\.${LABEL})*|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
const MAX_HOST_LENGTH = 253;

/**
 * The address as text, with nothing in it changed but the host, which is in lower case. The template is taken apart
 * before anything is put in, so that no value can move the border between host, path and query. `setting` is how a fault
 * of the template itself is named. Throws `ConnectionConfigError`.
 */
export function renderAddress(
  connection: Connection,
  values: AddressValues,
  { template, setting }: { template: string; setting: string },
): string {
  const parts = URL_TEMPLATE.exec(template)?.groups;
  if (!parts?.scheme || !parts.host) throw new ConnectionConfigError(setting, 'it is not an https address.');
  const { scheme, host, path = '', query = '' } = parts;
  const variable = (name: string) => resolveAddressVariable(connection, values, name);
  return `${scheme}://${renderHost(scheme, host, setting, variable)}${renderPath(path + query, variable)}`;
}

/** Path and query of a template, every value encoded for its place. */
export function renderPath(template: string, variable: (name: string) => ResolvedAddressVariable): string {
  const encoded = (name: string) => encodeURIComponent(variable(name).text);
  const [path = '', ...query] = template.split('?');
  const filledPath = path.split('/').map((segment) => {
    const filled = fillTemplate(segment, encoded);
    // Looked at when it is filled, because values side by side could spell it too.
    if (/^\.{1,2}$/.test(filled))
      throw new ConnectionConfigError(templateVariables(segment)[0] ?? 'path', 'it leads elsewhere.');
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
    throw new ConnectionConfigError(templateVariables(template)[0] ?? setting, 'it gives no host name.');
  return host;
}

/** Whether a text is a host name or address, perhaps with a port. `protocol` ends with a colon. */
export function isHost(protocol: string, host: string): boolean {
  const name = HOST.exec(host)?.groups?.name;
  // URL has the last word: what it would read otherwise, such as 0x7f.1, is not a host name.
  return Boolean(name && name.length <= MAX_HOST_LENGTH && URL.parse(`${protocol}//${host}`)?.hostname === name);
}

/** Beside fixed text: one label; labels with dots where the schema of the field provides for them. */
function renderHostPart({ name, text, constrained: ruled }: ResolvedAddressVariable): string {
  if (!(ruled ? LABELS : SINGLE_LABEL).test(text) && text !== '') {
    throw new ConnectionConfigError(name, 'the value cannot be part of a host name.');
  }
  return text;
}

/** A source names itself by its whole address; nothing but an origin is taken for one. */
function renderWholeHost(scheme: string, { name, text, fromSource }: ResolvedAddressVariable): string {
  if (!fromSource || !text.includes('/')) return text;
  const url = URL.parse(text);
  const isOrigin =
    url?.protocol === `${scheme}:` && !url.username && !url.password && url.pathname + url.search + url.hash === '/';
  if (!isOrigin) throw new ConnectionConfigError(name, 'the source named no origin.');
  return url.host;
}
