import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import { multipartRequestFor } from '../service/multipart-request.js';
import { ISOLATION_CASES, type IsolationCase, type IsolationOutcome } from './isolation-cases.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

const read = (file: string): string => readFileSync(join(PROJECT_ROOT, 'schema', file), 'utf8');
const schema = buildSchema(read('schema.graphql'));
const document: Json = JSON.parse(read('openapi.json'));

const ROOTS = {
  query: schema.getQueryType()?.getFields() ?? {},
  mutation: schema.getMutationType()?.getFields() ?? {},
};

/** Maximum depth of the selection that `allOf` returns. */
const LEVELS = 4;

/** Lists whose default pages would exceed the maximum cost of an operation. */
const SHORT_LISTS = ['runs', 'syncJobs', 'deliveries', 'pendingBatches'];

/** An operation may have 1,000 fields, including the fields around the selection. */
const MAX_FIELDS = 990;

/** Names of String arguments that identify an object. */
const NAMING = /^id$|^state$|^seriesId$|slug$/i;

/** Fields that match `NAMING`, although the caller chooses the value. */
const OWN_NAMES = ['RunCheckInput.id'];

/**
 * Names that the cases must have: `FIELD.ARGUMENT` for each argument with an id, and `FIELD` for each field without
 * such an argument.
 */
export function namesOfFields(): string[] {
  return Object.values({ ...ROOTS.query, ...ROOTS.mutation })
    .flatMap(({ name, args }) => {
      const places = args.flatMap((arg) => placesIn(arg.name, arg.type));
      return places.length ? places.map((place) => `${name}.${place}`) : [name];
    })
    .sort();
}

function placesIn(name: string, type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (named.name.endsWith('Filter')) return []; // `FILTERS_BY_ID` covers filters.
  if (isInputObjectType(named))
    return Object.values(named.getFields())
      .filter((field) => !OWN_NAMES.includes(`${named.name}.${field.name}`))
      .flatMap((field) => placesIn(field.name, field.type).map((place) => `${name}.${place}`));
  return named.name === 'Base62Id' || (named.name === 'String' && NAMING.test(name)) ? [name] : [];
}

/** All filters by an id in root lists. */
export const FILTERS_BY_ID: readonly { list: string; filter: string; isCount: boolean }[] = Object.values(
  ROOTS.query,
).flatMap(({ name, args, type }) => {
  const named = getNamedType(args.find((arg) => arg.name === 'filter')?.type);
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields())
    .filter((field) => getNamedType(field.type).name === 'Base62Id')
    .map((field) => ({ list: name, filter: field.name, isCount: !isObjectType(getNamedType(type)) }));
});

export function selectionOfList(list: string): string {
  const type = getNamedType((ROOTS.query[list] as GraphQLField<unknown, unknown>).type);
  return isObjectType(type) && type.getFields().items ? '{ items { id } total }' : '{ id }';
}

/** Names that REST cases must have: `METHOD PATH PARAMETER` for each id, or `METHOD PATH` if there are no ids. */
export function namesOfOperations(): string[] {
  return Object.entries<Json>(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .flatMap(({ path, method, operation }) => {
      const parameters = (operation.parameters ?? []).filter(
        (one: Json) => one.in === 'path' || isId(one.schema ?? {}),
      );
      const body = operation.requestBody?.content['application/json']?.schema.properties ?? {};
      const fields = Object.entries<Json>(body).filter(([name, field]) => isId(field) || NAMING.test(name));
      const places = [...parameters.map((one: Json) => one.name), ...fields.map(([name]) => name)];
      const operationName = `${method} ${path}`;
      return places.length ? places.map((place) => `${operationName} ${place}`) : [operationName];
    })
    .sort();
}

function isId({ items, pattern = items?.pattern }: Json): boolean {
  return pattern?.endsWith('{22}$') ?? false;
}

export interface IsolationRequest {
  readonly title: string;
  readonly theCase: IsolationCase;
  readonly isRest: boolean;
  readonly request: (variables: object) => SentRequest;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

export const ISOLATION_REQUESTS: readonly IsolationRequest[] = Object.entries(ISOLATION_CASES).flatMap(
  ([name, theCase]) => [
    { title: `GraphQL ${name}`, theCase, isRest: false, request: overGraphql(name.split('.')[0] as string, theCase) },
    ...(theCase.rest ? [{ title: theCase.rest, theCase, isRest: true, request: overRest(theCase.rest) }] : []),
  ],
);

/** Returns the first request for each distinct result of `propertiesOf`. */
export function firstOfEach(
  requests: readonly IsolationRequest[],
  propertiesOf: (request: IsolationRequest) => readonly unknown[],
): IsolationRequest[] {
  return [
    ...new Map(requests.toReversed().map((request) => [JSON.stringify(propertiesOf(request)), request])).values(),
  ];
}

function overGraphql(name: string, { selection }: IsolationCase): (variables: object) => SentRequest {
  const kind = name in ROOTS.query ? 'query' : 'mutation';
  const field = ROOTS[kind][name];
  const query = field ? documentOf(kind, field, selection) : '';
  return (variables) => ({ method: 'POST', path: '/graphql', body: { query, variables } });
}

function documentOf(kind: string, { name, args, type }: GraphQLField<unknown, unknown>, selection?: string): string {
  const declared = args.map(
    (arg) => `$${arg.name}: ${arg.type}${arg.defaultValue === undefined ? '' : ` = ${arg.defaultValue}`}`,
  );
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`);
  const inBrackets = (list: string[]) => (list.length ? `(${list.join(', ')})` : '');
  return `${kind} ${inBrackets(declared)} { data: ${name}${inBrackets(passed)} ${selection ?? allOf(type)} }`;
}

/**
 * Selects the fields of each type only once, at the place nearest to the root, because a selection at all places
 * would be too large.
 */
function allOf(type: GraphQLOutputType, levels = LEVELS): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const selection = selectionOf(named, placesOfTypes(named, levels), '');
  const fields = selection.match(/\w+/g)?.length ?? 0;
  return fields > MAX_FIELDS ? allOf(type, levels - 1) : selection;
}

/** Maps each type to the path at which its fields are selected. */
function placesOfTypes(root: GraphQLObjectType, levels: number): Map<string, string> {
  const places = new Map([[root.name, '']]);
  let found: [GraphQLObjectType, string][] = [[root, '']];
  for (let level = 1; level < levels; level++) {
    const next: typeof found = [];
    for (const [type, path] of found)
      for (const field of Object.values(type.getFields())) {
        const below = getNamedType(field.type);
        if (!isObjectType(below) || places.has(below.name)) continue;
        places.set(below.name, `${path}.${field.name}`);
        next.push([below, `${path}.${field.name}`]);
      }
    found = next;
  }
  return places;
}

function selectionOf(type: GraphQLObjectType, places: ReadonlyMap<string, string>, path: string): string {
  if (places.get(type.name) !== path) return type.getFields().id ? '{ id }' : '{ __typename }';
  const fields = Object.values(type.getFields()).map((field) => {
    const below = getNamedType(field.type);
    if (!isObjectType(below)) return field.name;
    const isShort = SHORT_LISTS.includes(field.name) && field.args.some(({ name }) => name === 'limit');
    return `${field.name}${isShort ? '(limit: 5)' : ''} ${selectionOf(below, places, `${path}.${field.name}`)}`;
  });
  return `{ ${fields.join(' ')} }`;
}

function overRest(operation: string): (variables: object) => SentRequest {
  const [method, path] = operation.split(' ') as [string, string];
  return (variables) => {
    const rest: Record<string, unknown> = { ...variables };
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    if (['post', 'put', 'patch'].includes(method)) return { method, path: filled, body: rest };
    const query = new URLSearchParams(rest as Record<string, string>).toString();
    return { method, path: query ? `${filled}?${query}` : filled };
  };
}

export interface IsolationReply {
  readonly outcome: IsolationOutcome;
  readonly data: Json;
  /** Omits headers that differ for each request: the request id, the date and the rate limit. */
  readonly bytes: string;
  /** The complete response. The tests search it for forbidden strings. */
  readonly everything: string;
}

const OF_REQUEST = /^(date|x-request-id|ratelimit-.*)$/i;

const json = (body?: object): Buffer => Buffer.from(body ? JSON.stringify(body) : '');

async function encoded(form: FormData): Promise<{ content: Buffer; type: string }> {
  const whole = new Response(form);
  return { content: Buffer.from(await whole.arrayBuffer()), type: whole.headers.get('content-type') as string };
}

/** Uses `node:http`, which allows any Host header. */
export async function sendRequest(
  url: string,
  { method, path, body }: SentRequest,
  headers: Record<string, string>,
): Promise<IsolationReply> {
  const form = body && multipartRequestFor(path, body);
  const { content, type } = form ? await encoded(form) : { content: json(body), type: 'application/json' };
  const all = { ...headers, ...(body && { 'content-type': type, 'content-length': content.length }) };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(url + path, { method: method.toUpperCase(), headers: all }, resolve);
    sent.on('error', reject);
    sent.end(content);
  });
  let received = '';
  for await (const chunk of reply.setEncoding('utf8')) received += chunk;
  const pairs = Array.from({ length: reply.rawHeaders.length / 2 }, (_, at) =>
    reply.rawHeaders.slice(at * 2, at * 2 + 2),
  );
  const kept = pairs.filter(([name]) => !OF_REQUEST.test(name as string)).map((pair) => pair.join(': '));
  const requestId = reply.headers['x-request-id'] as string;
  const isJson = reply.headers['content-type']?.startsWith('application/json');
  return {
    ...outcomeOfReply(reply, isJson ? JSON.parse(received) : { data: received }, path === '/graphql'),
    bytes: [reply.statusCode, ...kept, received.replaceAll(requestId, '')].join('\n'),
    everything: [...reply.rawHeaders, received].join('\n'),
  };
}

export function outcomeOfReply(
  reply: Pick<IncomingMessage, 'headers'>,
  body: Json,
  isGraphql: boolean,
): Pick<IsolationReply, 'outcome' | 'data'> {
  const code = body.errors?.[0].extensions.code ?? reply.headers['x-error-code'];
  if (code) return { outcome: code, data: undefined };
  const data = isGraphql ? body.data.data : body.data;
  const isEmpty = Array.isArray(data) && data.length === 0;
  return { outcome: data === null ? 'null' : isEmpty ? '[]' : 'ok', data };
}
