import type { GraphQLArgument, GraphQLSchema } from 'graphql';
import type { ErrorCode } from '../src/kernel/errors.js';
import { STATUS } from './errors.js';
import { ENVELOPE, errorResponses, HEADERS, REQUEST_ID } from './openapi-parts.js';
import { type Json, ReplySchemas, typeSchema } from './openapi-schemas.js';
import { type Operation, readOperations } from './operations.js';
import { routes } from './routes/index.js';
import type { Route } from './routes/route.js';
import { rootOf } from './shape.js';

const DESCRIPTION = `Connects the workspaces of a product to data vendors. Every reply of success is an envelope of \`data\`, \`meta\` and, for
lists, \`links\`; every error is \`{ "error": "CODE: sentence" }\` with the code repeated in the header \`X-Error-Code\`. Optional
fields without a value are left out. Enumerations may grow: a client must tolerate values that it does not know.`;

const TAGS: Record<string, string> = {
  Vendors: 'The public catalog of vendors and the groupings under which their connectors are offered.',
  Connectors: 'Connector definitions.',
  Extensions: 'Beyond the interface document.',
};

/** The OpenAPI 3.0.3 document, printed from the rows of the route table, their operations and the GraphQL schema. */
export function createOpenApi(schema: GraphQLSchema, baseUrl = 'http://127.0.0.1:4000'): Json {
  const operations = readOperations(schema);
  const schemas = new ReplySchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operation = operations.get(route.operation) as Operation;
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(schema, route, operation, schemas) };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Taproot',
      version: 'v1',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Whoever runs this service', url: baseUrl },
    },
    servers: [{ url: '{base_url}', description: 'This service.', variables: { base_url: { default: baseUrl } } }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b))),
    components: {
      parameters: { RequestId: REQUEST_ID },
      headers: HEADERS,
      responses: errorResponses([...new Set(routes.flatMap(codesOf))]),
      schemas: { ...ENVELOPE, ...schemas.all() },
    },
  };
}

function describeRoute(schema: GraphQLSchema, route: Route, operation: Operation, schemas: ReplySchemas): Json {
  const root = rootOf(schema, operation);
  schemas.collect(root);
  return {
    operationId: route.operation,
    tags: route.extension ? [route.tag, 'Extensions'] : [route.tag],
    summary: route.summary,
    description: route.description,
    security: [],
    parameters: [
      ...root.field.args.map((argument) => parameter(argument, route)),
      { $ref: '#/components/parameters/RequestId' },
    ],
    responses: {
      200: {
        description: 'Success.',
        headers: successHeaders(route),
        content: {
          'application/json': { schema: reply(route, typeSchema(root.field.type)), example: exampleReply(route) },
        },
      },
      ...(route.public && {
        304: { description: 'What `If-None-Match` names is still right.', headers: successHeaders(route) },
      }),
      ...Object.fromEntries(codesOf(route).map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }])),
    },
  };
}

/** How the route can fail. That an address answers other methods, 405, is no failure of an operation. */
function codesOf({ missing }: Route): ErrorCode[] {
  return [
    'BAD_REQUEST',
    ...(missing ? (['NOT_FOUND'] as const) : []),
    'REQUEST_TIMEOUT',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

function parameter(argument: GraphQLArgument, { path }: Route): Json {
  const inPath = path.includes(`{${argument.name}}`);
  return {
    name: argument.name,
    in: inPath ? 'path' : 'query',
    required: inPath,
    description: argument.description,
    schema: {
      ...typeSchema(argument.type),
      ...(argument.extensions.limits as Json | undefined),
      ...(argument.defaultValue !== undefined && { default: argument.defaultValue }),
    },
  };
}

function reply({ paged }: Route, data: Json): Json {
  return {
    type: 'object',
    required: paged ? ['data', 'meta', 'links'] : ['data', 'meta'],
    properties: {
      data,
      meta: { $ref: '#/components/schemas/Meta' },
      ...(paged && { links: { $ref: '#/components/schemas/Links' } }),
    },
  };
}

function exampleReply({ paged, path, example }: Route): Json {
  const meta = { requestId: '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f', totalCount: paged ? 1 : null };
  const page = `http://127.0.0.1:4000${path}?limit=50&offset=0`;
  return { data: example, meta, ...(paged && { links: { first: page, last: page, next: null, prev: null } }) };
}

function successHeaders(route: Route): Json {
  const requestId = { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } };
  return route.public ? { ...requestId, ETag: { $ref: '#/components/headers/ETag' } } : requestId;
}
