import { type GraphQLArgument, type GraphQLSchema, isNonNullType } from 'graphql';
import type { ErrorCode } from '../src/kernel/errors.js';
import { ENVELOPE, ErrorResponses, HEADERS, headersOf, PARAMETERS, SECURITY_SCHEMES } from './openapi-components.js';
import { INGEST_SCHEMAS, ingestPaths } from './openapi-ingest.js';
import { nullableSchema, type OpenApiObject, ResponseSchemas, typeSchema } from './openapi-schemas.js';
import { type Operation, readOperations } from './operations.js';
import { routes } from './routes/index.js';
import { acceptsIdempotencyKey, hasBody, hasEtag, type Route, successStatus } from './routes/route.js';
import { alwaysHasValue, rootFieldOf, type SelectedField } from './selection.js';

const DESCRIPTION = `Connects the workspaces of a product to data vendors. Every success response is an envelope of \`data\`, \`meta\` and, for
lists, \`links\`. Every error is \`{ "error": "CODE: sentence" }\`, and the header \`X-Error-Code\` contains the same code. Responses
omit optional fields that are null. A later version may add values to an enumeration, so a client must accept unknown values.

The public catalog requires no authentication. The endpoints under \`/ingest\` require an ingest token. All other endpoints require
authentication and a workspace. Send a bearer token: an access token of the identity provider, or an API key of the workspace.
With an access token, also send the slug of the workspace in \`X-Tenant\` or as a subdomain. An API key already determines the workspace.
A request for an object of another workspace has the same response as a request for a missing object.
Rate limits apply per caller and workspace, per ingest token or, without authentication, per IP address.
The headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) describe the limit.`;

const EXAMPLE_ID = '3fK8mQ2xWFrVLcR2Ir74QG';

const TAGS: Record<string, string> = {
  Vendors: 'The public catalog of vendors and their groupings.',
  Connectors: 'Connector definitions.',
  Connections: 'Connected sources of a workspace, their credentials and sign-ins with vendors.',
  Syncs: 'Syncs, which read the taps of a connection into tables, and the schedules of syncs.',
  Artifacts: 'Files of a workspace: upload, inference of column types, and publication as tables.',
  Taps: 'Data streams of a workspace, each with its table.',
  'Ingest tokens': 'Tokens that authorize senders to push records to a tap.',
  Tables:
    'The workspace catalog: the tables of a workspace. Each table holds the received rows of a tap, as Parquet files.',
  'Connector requests': 'Requests for connectors that the catalog lacks.',
  Users: 'Members and invitations of a workspace.',
  Extensions:
    'Endpoints that extend the core REST interface, which consists of all other endpoints. Each endpoint also has the tag of its subject.',
};

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
      contact: { name: 'The service operator', url: baseUrl },
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
  const args = root.field.args.filter(({ name }) => operation.variables.has(name));
  schemas.collect(root);
  return {
    operationId: route.operation,
    tags: route.extension ? [route.tag, 'Extensions'] : [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.public && { security: [] }),
    parameters: [
      ...args.filter((argument) => !isField(argument, route)).map((argument) => parameter(argument, route)),
      ...commonParameters(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(hasBody(route) && {
      requestBody: (route.upload ? formBody : requestBody)(args.filter((argument) => isField(argument, route))),
    }),
    responses: {
      [successStatus(route)]: {
        description: route.status === 202 ? 'Accepted: a background job does the work.' : 'Success.',
        headers: successHeaders(route),
        content: successContent(route, root.field),
      },
      ...(hasEtag(route) && {
        304: { description: 'Not modified: the ETag in `If-None-Match` is current.', headers: successHeaders(route) },
      }),
      ...failures.of(codesOf(route, 'otherwise' in root.field.extensions)),
    },
  };
}

/**
 * Omits METHOD_NOT_ALLOWED, which belongs to the URL and not to an operation. `answersOtherwise` is true if the
 * operation has a fallback response for authenticated callers without access.
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

function formBody(fields: readonly GraphQLArgument[]): OpenApiObject {
  const file = fields.find(({ name }) => name === 'file');
  const others = fields.filter((field) => field !== file);
  const sentences = others.map(({ name, type, description }) => {
    const need = isNonNullType(type) ? 'required' : 'optional';
    return `- \`${name}\` (${need}): ${description}`;
  });
  const data = {
    type: 'string',
    description: `An optional JSON object, before or after the file. Its fields:\n\n${sentences.join('\n')}`,
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

/** If an operation has no result, a route with a `notFoundMessage` returns 404, and any other route returns null. */
function dataSchema({ notFoundMessage: missing }: Route, field: SelectedField['field']): OpenApiObject {
  const schema = typeSchema(field.type);
  return alwaysHasValue(field) || missing ? schema : nullableSchema(schema);
}

function successContent(route: Route, field: SelectedField['field']): OpenApiObject {
  if (route.mediaType) return { [route.mediaType]: { schema: typeSchema(field.type), example: route.example } };
  const schema = envelopeSchema(route, dataSchema(route, field));
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
