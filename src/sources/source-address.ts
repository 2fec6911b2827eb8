import { templateVariables } from '../catalog/template-variables.js';
import type { Connection } from './connection.js';
import { ConnectionConfigError } from './connection-config-error.js';
import { renderAddress, renderPath } from './render-address.js';
import { type AddressValues, findDeclaredVariable, resolveAddressVariable } from './resolve-address-variable.js';

type Definition = Pick<Connection, 'connector' | 'strategy'> & Partial<Pick<Connection, 'taps'>>;
type Addressed = Pick<Connection['connector'], 'addressingConfig' | 'defaultBaseUrl'>;

export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A source led to an address that is not its own. */
export class ForeignAddressError extends Error {
  override readonly name = 'ForeignAddressError';

  constructor() {
    super('The source leads to an address outside of its own.');
  }
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;

/** Where calls go, with the base path and without a slash behind it. Throws `ConnectionConfigError`. */
export function baseUrlOf(connection: Connection, values?: AddressValues): URL {
  const template = baseTemplateOf(connection);
  if (!template) throw new ConnectionConfigError('defaultBaseUrl', 'the connector has no base address.');
  return new URL(renderAddress(connection, values, { template, setting: 'defaultBaseUrl' }).replace(/\/+$/, ''));
}

/**
 * The address of a call: a path below the base, or a whole address. What stands in the definition is a template, and may
 * lead to another origin. Anything else may have come from a reply: it is taken as it is, and throws `ForeignAddressError`
 * where it leaves the base's origin, so that no reply can ask for a value or send a credential elsewhere.
 */
export function buildSourceUrl(
  connection: Connection,
  values: AddressValues,
  pathOrUrl: string,
  query: QueryParameters = {},
): URL {
  const written = definedAddresses(connection).has(pathOrUrl);
  const url = (written ? renderDefinedUrl : resolveReceivedUrl)(connection, values, pathOrUrl);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  url.hash = '';
  return url;
}

/** The token endpoint as text, exactly as the definition has it, because assertions name it as their audience. */
export function tokenEndpointOf(connection: Connection): string {
  const setting = 'tokenEndpoint';
  const template = connection.strategy.oauth2Config?.tokenEndpoint;
  if (!template) throw new ConnectionConfigError(setting, 'the strategy has none.');
  return renderAddress(connection, undefined, { template, setting });
}

/**
 * Names of the config fields that have a part in any address that a secret goes to, or is made for. Whoever changes one
 * of them must give the secrets anew, or a stored secret could be sent to a host of theirs.
 */
export function addressFieldsOf(definition: Definition): ReadonlySet<string> {
  const { oauth2Config } = definition.strategy;
  const templates = [
    baseTemplateOf(definition),
    oauth2Config?.tokenEndpoint,
    oauth2Config?.authorizeUrl,
    oauth2Config?.audienceParam,
    definition.strategy.verification?.url,
    // A path below the base leads nowhere else.
    ...endpointsOf(definition.taps ?? []).filter((endpoint) => ABSOLUTE_URL.test(endpoint ?? '')),
  ];
  const names = templates.flatMap((template) => templateVariables(template ?? ''));
  return new Set(names.filter((name) => findDeclaredVariable(definition, name)?.source !== 'oauth_response'));
}

/** The template of all addresses below the base; undefined if the definition has none. */
export function baseTemplateOf({ strategy, connector }: Definition): string | undefined {
  return templateOf(strategy) ?? templateOf(connector);
}

function templateOf({ addressingConfig, defaultBaseUrl }: Addressed): string | undefined {
  const basePath = addressingConfig?.basePath ?? '';
  if (addressingConfig?.host) return `${addressingConfig.scheme ?? 'https'}://${addressingConfig.host}${basePath}`;
  return defaultBaseUrl ? defaultBaseUrl.replace(/\/+$/, '') + basePath : undefined;
}

/** The addresses of calls that the definition itself names. */
function definedAddresses({ strategy, taps = [] }: Definition): ReadonlySet<string> {
  return new Set([strategy.verification?.url, ...endpointsOf(taps)].filter((address) => typeof address === 'string'));
}

function endpointsOf(taps: Connection['taps']): (string | null | undefined)[] {
  const options = taps.flatMap(({ transportOptions }) => transportOptions ?? []);
  return options.map(({ restConfig, graphqlConfig }) => restConfig?.endpoint ?? graphqlConfig?.endpoint);
}

function renderDefinedUrl(connection: Connection, values: AddressValues, template: string): URL {
  if (ABSOLUTE_URL.test(template)) return new URL(renderAddress(connection, values, { template, setting: 'url' }));
  return joinBelow(
    baseUrlOf(connection, values),
    renderPath(template, (name) => resolveAddressVariable(connection, values, name)),
  );
}

function resolveReceivedUrl(connection: Connection, values: AddressValues, pathOrUrl: string): URL {
  const base = baseUrlOf(connection, values);
  if (!ABSOLUTE_URL.test(pathOrUrl)) return joinBelow(base, pathOrUrl);
  const url = URL.parse(pathOrUrl);
  if (url?.origin !== base.origin || url.username || url.password) throw new ForeignAddressError();
  return url;
}

/** Joined as text and read again, so that `//host`, `..` and their other spellings are seen for what they are. */
function joinBelow(base: URL, path: string): URL {
  const start = base.href.replace(/\/$/, '');
  const url = URL.parse(start + (/^([/?#]|$)/.test(path) ? path : `/${path}`));
  const under = url?.origin === base.origin && `${url.pathname}/`.startsWith(new URL(`${start}/`).pathname);
  if (!url || !under) throw new ForeignAddressError();
  return url;
}
