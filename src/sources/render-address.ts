import { fillTemplate, templateVariables } from '../catalog/template-variables.js';
import { type AddressValues, type AddressVariable, addressVariable } from './address-variable.js';
import type { Connection } from './connection.js';
import { ConnectionFault } from './connection-fault.js';

const PARTS = /^(?<scheme>https?):\/\/(?<host>[^/?#]+)(?<path>[^?#]*)(?<query>\?[^#]*)?$/;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ONE_LABEL = new RegExp(`^${LABEL}$`);
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** A name or address, and perhaps a port; the brackets are those of IPv6. */
const HOST = new RegExp(`^(?<name>${LABEL}(?:\\.${LABEL})*|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
const LONGEST_HOST = 253;

/**
 * The address as text, with nothing in it changed but the host, which is in lower case. The template is taken apart
 * before anything is put in, so that no value can move the border between host, path and query. `setting` is how a fault
 * of the template itself is named. Throws `ConnectionFault`.
 */
export function renderAddress(
  connection: Connection,
  values: AddressValues,
  { template, setting }: { template: string; setting: string },
): string {
  const parts = PARTS.exec(template)?.groups;
  if (!parts?.scheme || !parts.host) throw new ConnectionFault(setting, 'it is not an https address.');
  const { scheme, host, path = '', query = '' } = parts;
  const variable = (name: string) => addressVariable(connection, values, name);
  return `${scheme}://${renderHost(scheme, host, setting, variable)}${renderPath(path + query, variable)}`;
}

/** Path and query of a template, every value encoded for its place. */
export function renderPath(template: string, variable: (name: string) => AddressVariable): string {
  const encoded = (name: string) => encodeURIComponent(variable(name).text);
  const [path = '', ...query] = template.split('?');
  const filledPath = path.split('/').map((segment) => {
    const filled = fillTemplate(segment, encoded);
    // Looked at when it is filled, because values side by side could spell it too.
    if (/^\.{1,2}$/.test(filled))
      throw new ConnectionFault(templateVariables(segment)[0] ?? 'path', 'it leads elsewhere.');
    return filled;
  });
  return [filledPath.join('/'), ...(query.length ? [fillTemplate(query.join('?'), encoded)] : [])].join('?');
}

function renderHost(
  scheme: string,
  template: string,
  setting: string,
  variable: (name: string) => AddressVariable,
): string {
  const whole = /^\{\w+\}$/.test(template);
  const host = fillTemplate(template, (name) => {
    const found = variable(name);
    return whole ? wholeHost(scheme, found) : partOfHost(found);
  }).toLowerCase();
  if (!isHost(`${scheme}:`, host))
    throw new ConnectionFault(templateVariables(template)[0] ?? setting, 'it gives no host name.');
  return host;
}

/** Whether a text is a host name or address, perhaps with a port. `protocol` ends with a colon. */
export function isHost(protocol: string, host: string): boolean {
  const name = HOST.exec(host)?.groups?.name;
  // URL has the last word: what it would read otherwise, such as 0x7f.1, is not a host name.
  return Boolean(name && name.length <= LONGEST_HOST && URL.parse(`${protocol}//${host}`)?.hostname === name);
}

/** Beside fixed text: one label; labels with dots where the schema of the field provides for them. */
function partOfHost({ name, text, ruled }: AddressVariable): string {
  if (!(ruled ? LABELS : ONE_LABEL).test(text) && text !== '') {
    throw new ConnectionFault(name, 'the value cannot be part of a host name.');
  }
  return text;
}

/** A source names itself by its whole address; nothing but an origin is taken for one. */
function wholeHost(scheme: string, { name, text, fromSource }: AddressVariable): string {
  if (!fromSource || !text.includes('/')) return text;
  const url = URL.parse(text);
  const isOrigin =
    url?.protocol === `${scheme}:` && !url.username && !url.password && url.pathname + url.search + url.hash === '/';
  if (!isOrigin) throw new ConnectionFault(name, 'the source named no origin.');
  return url.host;
}
