import type { ConnectorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { JsonNode } from '../../catalog-compare/documents.js';
import { list } from '../../catalog-compare/openapi-operations.js';
import { addressOf } from '../address.js';
import { PLACEHOLDER_BASE_URL } from '../draft.js';
import type { Notes } from '../notes.js';
import { isNode } from '../source-file.js';

type Address = Pick<ConnectorDefinition, 'defaultBaseUrl' | 'addressingConfig' | 'ingestionConfigSchema'>;

/** Variables of the host become config fields. */
export function baseAddress(root: JsonNode, notes: Notes): Address {
  const servers = list(root.servers).filter(isNode);
  const [server] = servers;
  const pointer = server ? '#/servers/0' : 'host' in root ? '#/host' : '#';
  const template = server ? serverUrl(server) : swaggerUrl(root);
  const address = /^https?:\/\/[^/]/.test(template) ? addressOf(template, pointer, notes, valuesOf(server)) : undefined;
  if (servers.length > 1)
    notes.check('connector', '#/servers', `the draft uses the first of ${servers.length} base URLs`);
  if (address) return address;
  notes.todo('connector', pointer, `set defaultBaseUrl; the file has no absolute base URL`);
  return { defaultBaseUrl: PLACEHOLDER_BASE_URL };
}

function swaggerUrl({ host, basePath, schemes }: JsonNode): string {
  if (typeof host !== 'string') return '';
  const scheme = Array.isArray(schemes) && schemes[0] === 'http' && schemes.length === 1 ? 'http' : 'https';
  return `${scheme}://${host}${typeof basePath === 'string' ? basePath : ''}`.replace(/\/$/, '');
}

/** Replaces the variables of the scheme and the path with their default values. */
function serverUrl(server: JsonNode): string {
  const [, scheme = '', host = '', path = ''] = /^([^/]*\/\/)?([^/]*)(.*)$/s.exec(String(server.url ?? '')) ?? [];
  const withDefaults = (text: string): string =>
    text.replace(/\{([^{}]+)\}/g, (variable, name) => String(variableOf(server, name)?.default ?? variable));
  return `${withDefaults(scheme)}${host}${withDefaults(path)}`.replace(/\/$/, '');
}

function valuesOf(server: JsonNode | undefined): (name: string) => readonly string[] {
  return (name) => {
    const values = server && variableOf(server, name)?.enum;
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  };
}

function variableOf({ variables }: JsonNode, name: string): JsonNode | undefined {
  const variable = isNode(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
  return isNode(variable) ? variable : undefined;
}
