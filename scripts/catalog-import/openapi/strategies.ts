import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { sourceOf } from '../draft.js';
import { toSlug, uniqueName } from '../names.js';
import type { Notes } from '../notes.js';
import { isNode } from '../source-file.js';
import {
  apiKeyDraft,
  authorizationCodeDraft,
  basicDraft,
  bearerDraft,
  clientCredentialsDraft,
  type StrategyDraft,
} from '../strategy-drafts.js';

const PLACEHOLDER_TOKEN_URL = 'https://auth.example.com/token';
const PLACEHOLDER_AUTHORIZE_URL = 'https://auth.example.com/authorize';

interface Scheme {
  readonly name: string;
  readonly pointer: string;
  readonly node: JsonNode;
}

/** Returns one strategy per supported security scheme, or two for an OAuth 2.0 scheme with two supported flows. */
export function readStrategies(root: JsonNode, resolve: ResolveReference, file: string, notes: Notes) {
  const taken = new Set<string>();
  return schemesOf(root, resolve).flatMap((scheme) =>
    draftsOf(scheme, root, notes).map((draft): StrategyDefinition => {
      const key = uniqueName(toSlug(scheme.name) || 'auth', taken, '-');
      notes.check(`strategy ${key}`, scheme.pointer, 'check the request that tests a credential (verification)');
      return { key, ...draft, sources: sourceOf(file) };
    }),
  );
}

/** For a file without a supported security scheme. */
export function placeholderStrategy(notes: Notes): StrategyDefinition {
  notes.todo('strategy token', '#', 'the file has no supported security scheme; replace the example strategy');
  return { key: 'token', ...bearerDraft(), unverified: ['bearerConfig'] };
}

function schemesOf(root: JsonNode, resolve: ResolveReference): Scheme[] {
  const isSwagger = 'swagger' in root;
  const parent = isSwagger ? '#/securityDefinitions' : '#/components/securitySchemes';
  const components = isNode(root.components) ? root.components : {};
  const schemes = isSwagger ? root.securityDefinitions : components.securitySchemes;
  return Object.entries(isNode(schemes) ? schemes : {}).flatMap(([name, given]) => {
    const node = resolve(given as JsonNode);
    const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return node ? [{ name, pointer, node }] : [];
  });
}

function draftsOf(scheme: Scheme, root: JsonNode, notes: Notes): StrategyDraft[] {
  const { name, pointer, node } = scheme;
  const type = String(node.type);
  const method = type === 'http' ? String(node.scheme).toLowerCase() : type;
  if (method === 'bearer') return [bearerDraft()];
  if (method === 'basic') return [basicDraft()];
  if (type === 'oauth2') return oauthDrafts(scheme, root, notes);
  if (type === 'apiKey' && (node.in === 'header' || node.in === 'query')) {
    const keyName = String(node.name);
    if (keyName.toLowerCase() === 'authorization')
      notes.check(`strategy ${toSlug(name)}`, pointer, 'check if a prefix such as Bearer precedes the key');
    return [apiKeyDraft(node.in, keyName)];
  }
  const kind = type === 'apiKey' ? `apiKey in ${node.in}` : method;
  notes.todo(`security scheme ${name}`, pointer, `the type ${kind} is not supported`);
  return [];
}

function oauthDrafts({ name, pointer, node }: Scheme, root: JsonNode, notes: Notes): StrategyDraft[] {
  const flows = isNode(node.flows) ? node.flows : { [String(node.flow)]: node };
  return Object.entries(flows).flatMap(([flow, given]) => {
    const settings = isNode(given) ? given : {};
    const at = flows === node.flows ? `${pointer}/flows/${flow}` : pointer;
    const url = (setting: string, placeholder: string): string => {
      const found = absoluteUrl(settings[setting], root);
      if (!found) notes.todo(`security scheme ${name}`, at, `set the URL; ${setting} is missing or not a URL`);
      return found ?? placeholder;
    };
    if (flow === 'authorizationCode' || flow === 'accessCode')
      return authorizationCodeDraft(
        url('authorizationUrl', PLACEHOLDER_AUTHORIZE_URL),
        url('tokenUrl', PLACEHOLDER_TOKEN_URL),
      );
    if (flow === 'clientCredentials' || flow === 'application')
      return clientCredentialsDraft(url('tokenUrl', PLACEHOLDER_TOKEN_URL));
    notes.todo(`security scheme ${name}`, at, `the OAuth flow ${flow} is not supported`);
    return [];
  });
}

/**
 * OpenAPI allows URLs that are relative to the server. Returns undefined if the URL contains variables, or if its
 * scheme is not HTTP or HTTPS.
 */
function absoluteUrl(given: unknown, { servers }: JsonNode): string | undefined {
  if (typeof given !== 'string' || given === '') return undefined;
  const server = Array.isArray(servers) && isNode(servers[0]) ? String(servers[0].url) : undefined;
  const url = URL.parse(given, server?.includes('{') ? undefined : server);
  return url && /^https?:$/.test(url.protocol) && !/%7B|\{/i.test(url.href) ? url.href : undefined;
}
