import { templateVariables } from '../catalog/template-variables.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import { definedAddresses } from './defined-addresses.js';
import type { PathVariables } from './path-variable.js';
import { renderAddress, renderPath } from './render-address.js';
import { type AddressValues, findDeclaredVariable } from './resolve-address-variable.js';

type Definition = Pick<Connection, 'connector' | 'strategy'> & Partial<Pick<Connection, 'taps'>>;
type Addressed = Pick<Connection['connector'], 'addressingConfig' | 'defaultBaseUrl'>;

type QueryParameter = string | number | boolean;

/** Each item of a list becomes a parameter with the same name. */
export type QueryParameters = Readonly<Record<string, QueryParameter | readonly QueryParameter[] | undefined>>;

export class ForeignAddressError extends Error {
  override readonly name = 'ForeignAddressError';

  constructor() {
    super('The source refers to a URL outside its base URL.');
  }
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;

/** Includes the base path, without a trailing slash. Throws `ConnectionConfigError`. */
export function baseUrlOf(connection: Connection, values?: AddressValues): URL {
  const template = baseTemplateOf(connection);
  if (!template) throw new ConnectionConfigError('defaultBaseUrl', 'the connector has no base URL.');
  return new URL(renderAddress(connection, values, { template, setting: 'defaultBaseUrl' }).replace(/\/+$/, ''));
}

/**
 * - A `pathOrUrl` from the definition is a template. Its URL may have a different origin than the base URL.
 *   `variables` contains values of this request for the path and query of the template, never for its host.
 * - Any other `pathOrUrl` may come from a response, so the function inserts no values. If it inserted values, a
 *   `{name}` in a response could expose config values or direct a credential to another host. An absolute URL
 *   must have the origin of the base URL, and no user name or password. A relative path must not leave the base path.
 *   Otherwise, the function throws `ForeignAddressError`.
 */
export function buildSourceUrl(
  connection: Connection,
  values: AddressValues,
  pathOrUrl: string,
  query: QueryParameters = {},
  variables: PathVariables = {},
): URL {
  const url = definedAddresses(connection).includes(pathOrUrl)
    ? renderDefinedUrl(connection, values, pathOrUrl, variables)
    : resolveReceivedUrl(connection, values, pathOrUrl);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) setParameter(url, name, value);
  url.hash = '';
  return url;
}

function setParameter({ searchParams }: URL, name: string, value: NonNullable<QueryParameters[string]>): void {
  searchParams.delete(name);
  for (const item of [value].flat()) searchParams.append(name, `${item}`);
}

/** Does not normalize the URL, because assertions contain the text of the URL as their audience. */
export function tokenEndpointOf(connection: Connection): string {
  const setting = 'tokenEndpoint';
  const template = connection.strategy.oauth2Config?.tokenEndpoint;
  if (!template) throw new ConnectionConfigError(setting, 'the strategy has no token endpoint.');
  return renderAddress(connection, undefined, { template, setting });
}

/**
 * Returns the config fields in the URLs to which the service sends secrets, and in the audience of assertions. A caller
 * who changes such a field must submit the secrets again. Otherwise, the caller could direct a stored secret to the
 * caller's own host.
 */
export function addressFieldsOf(definition: Definition): ReadonlySet<string> {
  const { oauth2Config } = definition.strategy;
  const templates = [
    baseTemplateOf(definition),
    oauth2Config?.tokenEndpoint,
    oauth2Config?.authorizeUrl,
    oauth2Config?.audienceParam,
    definition.strategy.verification?.url,
    // A path below the base URL cannot change the host.
    ...definedAddresses(definition).filter((address) => ABSOLUTE_URL.test(address)),
  ];
  const names = templates.flatMap((template) => templateVariables(template ?? ''));
  return new Set(names.filter((name) => findDeclaredVariable(definition, name)?.source !== 'oauth_response'));
}

/** Returns undefined if the definition has no base URL. */
export function baseTemplateOf({ strategy, connector }: Definition): string | undefined {
  return templateOf(strategy) ?? templateOf(connector);
}

function templateOf({ addressingConfig, defaultBaseUrl }: Addressed): string | undefined {
  const basePath = addressingConfig?.basePath ?? '';
  if (addressingConfig?.host) return `${addressingConfig.scheme ?? 'https'}://${addressingConfig.host}${basePath}`;
  return defaultBaseUrl ? defaultBaseUrl.replace(/\/+$/, '') + basePath : undefined;
}

function renderDefinedUrl(
  connection: Connection,
  values: AddressValues,
  template: string,
  variables: PathVariables,
): URL {
  if (ABSOLUTE_URL.test(template))
    return new URL(renderAddress(connection, values, { template, setting: 'url', variables }));
  return joinBelow(baseUrlOf(connection, values), renderPath(connection, values, template, variables));
}

function resolveReceivedUrl(connection: Connection, values: AddressValues, pathOrUrl: string): URL {
  const base = baseUrlOf(connection, values);
  if (!ABSOLUTE_URL.test(pathOrUrl)) return joinBelow(base, withoutBasePath(base, pathOrUrl));
  const url = URL.parse(pathOrUrl);
  if (url?.origin !== base.origin || url.username || url.password) throw new ForeignAddressError();
  return url;
}

/** Links in responses are relative to the origin (RFC 3986), and most sources repeat the base path in the links. */
function withoutBasePath({ pathname }: URL, path: string): string {
  return pathname !== '/' && path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path;
}

/**
 * Joins base URL and path as text, so that a path such as `//host` cannot change the host. Parsing resolves `..` and
 * its encoded forms. Throws `ForeignAddressError` if the URL is not below the base URL.
 */
function joinBelow(base: URL, path: string): URL {
  const start = base.href.replace(/\/$/, '');
  const url = URL.parse(start + (/^([/?#]|$)/.test(path) ? path : `/${path}`));
  const under = url?.origin === base.origin && `${url.pathname}/`.startsWith(new URL(`${start}/`).pathname);
  if (!url || !under) throw new ForeignAddressError();
  return url;
}
