import { type GraphQLArgument, type GraphQLOutputType, type GraphQLSchema, isNonNullType } from 'graphql';
import type { ErrorCode } from '../src/kernel/errors.js';
import { ENVELOPE, ErrorResponses, HEADERS, headersOf, PARAMETERS, SECURITY_SCHEMES } from './openapi-components.js';
import { INGEST_SCHEMAS, ingestPaths } from './openapi-ingest.js';
import { nullableSchema, type OpenApiObject, ResponseSchemas, typeSchema } from './openapi-schemas.js';
import { type Operation, readOperations } from './operations.js';
import { routes } from './routes/index.js';
import { acceptsIdempotencyKey, hasBody, hasEtag, type Route } from './routes/route.js';
import { rootFieldOf } from './selection.js';

const DESCRIPTION = `Connects the workspaces of a product to data vendors. Every reply of success is an envelope of \`data\`, \`meta\` and, for
lists, \`links\`; every error is \`{ "error": "CODE: sentence" }\` with the code repeated in the header \`X-Error-Code\`. Optional
fields without a value are left out. Enumerations may grow: a client must tolerate values that it does not know.

Every request but those for the public catalog is made by a known caller in one workspace: a bearer token (an access token of
the identity provider, or an API key of the workspace), and a workspace named by \`X-Tenant\` or as subdomain. What belongs to
another workspace is answered exactly as what never existed. Requests are counted by caller and workspace, or by address where
there is no caller; \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) tell how many a minute are left.`;

/** Stands for any id in an address. */
const EXAMPLE_ID = '3fK8mQ2xWFrVLcR2Ir74QG';

const TAGS: Record<string, string> = {
  Vendors: 'The public catalog of vendors and the groupings under which their connectors are offered.',
  Connectors: 'Connector definitions.',
  Connections: 'Connected sources of a workspace, their credentials and sign-ins with vendors.',
  Artifacts: 'Files of a workspace: uploads, the types of their columns, and tables made of them.',
  Taps: 'Data streams of a workspace, each with its table.',
  'Ingest tokens': 'What lets senders push records to a tap.',
  Tables: 'The workspace catalog: what its taps have brought, as Parquet files.',
  'Connector requests': 'What a workspace misses in the catalog.',
  Users: 'The people of a workspace, and who is to join them.',
  Extensions: 'Beyond the interface document.',
};

/** The OpenAPI 3.0.3 document, printed from the rows of the route table, their operations and the GraphQL schema. */
export function createOpenApi(schema: GraphQLSchema, baseUrl = 'http://127.0.0.1:4000'): OpenApiObject {
  const operations = readOperations(schema);
  const schemas = new ResponseSchemas();
  const failures = new ErrorResponses();
  const paths = ingestPaths(failures);
  for (const route of routes) {
    const operation = operations.get(route.operation) as Operation;
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: describeRoute(schema, route, operation, schemas, failures),
    };
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
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b))),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: failures.all(),
      schemas: { ...ENVELOPE, ...INGEST_SCHEMAS, ...schemas.all() },
    },
  };
}

function describeRoute(
  schema: GraphQLSchema,
  route: Route,
  operation: Operation,
  schemas: ResponseSchemas,
  failures: ErrorResponses,
): OpenApiObject {
  const root = rootFieldOf(schema, operation);
  schemas.collect(root);
  return {
    operationId: route.operation,
    tags: route.extension ? [route.tag, 'Extensions'] : [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.public && { security: [] }),
    parameters: [
      ...root.field.args.filter((argument) => !isField(argument, route)).map((argument) => parameter(argument, route)),
      ...commonParameters(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(hasBody(route) && {
      requestBody: (route.upload ? formBody : requestBody)(
        root.field.args.filter((argument) => isField(argument, route)),
      ),
    }),
    responses: {
      200: {
        description: 'Success.',
        headers: successHeaders(route),
        content: successContent(route, root.field.type),
      },
      ...(hasEtag(route) && {
        304: { description: 'What `If-None-Match` names is still right.', headers: successHeaders(route) },
      }),
      ...failures.of(codesOf(route, 'otherwise' in root.field.extensions)),
    },
  };
}

/**
 * How the route can fail. That an address answers other methods, 405, is no failure of an operation. `answersOtherwise`: everybody
 * who is known gets an answer.
 */
function codesOf(route: Route, answersOtherwise: boolean): ErrorCode[] {
  const refusesCallers = !route.public && !answersOtherwise;
  return [
    'BAD_REQUEST',
    ...(refusesCallers ? (['WORKSPACE_REQUIRED'] as const) : []),
    ...(route.public ? [] : (['UNAUTHENTICATED'] as const)),
    ...(refusesCallers ? (['WORKSPACE_FORBIDDEN', 'FORBIDDEN'] as const) : []),
    ...(route.notFoundMessage ? (['NOT_FOUND'] as const) : []),
    ...(route.errorCodes ?? []),
    'REQUEST_TIMEOUT',
    ...(acceptsIdempotencyKey(route) && !route.errorCodes?.includes('CONFLICT') ? (['CONFLICT'] as const) : []),
    ...(hasBody(route) && !route.upload ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ...(hasBody(route) ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(route.upload ? (['WA-AF-014', 'WA-AF-015'] as const) : []),
    ...(acceptsIdempotencyKey(route) ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    'TOO_MANY_REQUESTS',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

/** Whether an argument is a field of the body. */
function isField({ name }: GraphQLArgument, route: Route): boolean {
  return hasBody(route) && !route.path.includes(`{${name}}`);
}

function commonParameters(route: Route): string[] {
  return [
    ...(route.public ? [] : ['Tenant']),
    ...(acceptsIdempotencyKey(route) ? ['IdempotencyKey'] : []),
    'RequestId',
  ];
}

function requestBody(fields: readonly GraphQLArgument[]): OpenApiObject {
  const required = fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, { ...argumentSchema(field), description: field.description }]),
  );
  const schema = {
    type: 'object',
    additionalProperties: false,
    ...(required.length && { required }),
    properties,
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

/** A form: JSON with the other fields, and a file. */
function formBody(fields: readonly GraphQLArgument[]): OpenApiObject {
  const file = fields.find(({ name }) => name === 'file');
  const others = fields.filter((field) => field !== file);
  const sentences = others.map(({ name, type, description }) => {
    const need = isNonNullType(type) ? 'required' : 'optional';
    return `- \`${name}\` (${need}): ${description}`;
  });
  const data = {
    type: 'string',
    description: `A JSON object, before or after the file; may be missing. Its fields:\n\n${sentences.join('\n')}`,
    example: '{}',
  };
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['file'],
    properties: { data, file: { type: 'string', format: 'binary', description: file?.description } },
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function argumentSchema({ type, extensions, defaultValue }: GraphQLArgument): OpenApiObject {
  const { minItems, maxItems, says: _, notNull, ...ofText } = (extensions.limits ?? {}) as OpenApiObject;
  const schema = typeSchema(type);
  const bounded =
    schema.type === 'array'
      ? { ...schema, items: { ...(schema.items as OpenApiObject), ...ofText }, minItems, maxItems }
      : { ...schema, ...ofText };
  if (defaultValue !== undefined) return { ...bounded, default: defaultValue };
  return isNonNullType(type) || notNull ? bounded : nullableSchema(bounded);
}

function parameter(argument: GraphQLArgument, { path }: Route): OpenApiObject {
  const inPath = path.includes(`{${argument.name}}`);
  return {
    name: argument.name,
    in: inPath ? 'path' : 'query',
    required: inPath || (isNonNullType(argument.type) && argument.defaultValue === undefined),
    description: argument.description,
    schema: argumentSchema(argument),
  };
}

/** Where the operation may find nothing, that is a 404 or a null. */
function dataSchema({ notFoundMessage: missing }: Route, type: GraphQLOutputType): OpenApiObject {
  const schema = typeSchema(type);
  return isNonNullType(type) || missing ? schema : nullableSchema(schema);
}

function successContent(route: Route, type: GraphQLOutputType): OpenApiObject {
  if (route.mediaType) return { [route.mediaType]: { schema: typeSchema(type), example: route.example } };
  const schema = envelopeSchema(route, dataSchema(route, type));
  return { 'application/json': { schema, example: exampleResponse(route) } };
}

function envelopeSchema({ paged, listed }: Route, data: OpenApiObject): OpenApiObject {
  return {
    type: 'object',
    required: paged ? ['data', 'meta', 'links'] : ['data', 'meta'],
    properties: {
      data,
      meta: { $ref: '#/components/schemas/Meta' },
      ...((paged || listed) && { links: { $ref: '#/components/schemas/Links' } }),
    },
  };
}

function exampleResponse({ paged, listed, path, example }: Route): OpenApiObject {
  const meta = { requestId: '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f', totalCount: paged || listed ? 1 : null };
  const page = `http://127.0.0.1:4000${path.replaceAll(/\{\w+\}/g, EXAMPLE_ID)}?limit=50&offset=0`;
  return { data: example, meta, ...(paged && { links: { first: page, last: page, next: null, prev: null } }) };
}

function successHeaders(route: Route): OpenApiObject {
  const names = ['X-Request-ID', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  if (hasEtag(route)) names.push('ETag');
  if (route.mediaType) names.push('Content-Security-Policy');
  if (acceptsIdempotencyKey(route)) names.push('Idempotency-Replayed');
  return headersOf(names);
}
