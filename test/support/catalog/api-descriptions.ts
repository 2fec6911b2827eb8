const ORDER = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    total: { type: 'number', nullable: true },
    placed_at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    parent: { $ref: '#/components/schemas/Order' },
  },
};

const parameter = (name: string, schema: object = { type: 'string' }) => ({ name, in: 'query', schema });

export const listOperation = (parameters: readonly object[] = [], response: object = {}, more: object = {}) => ({
  get: {
    parameters,
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } }, ...response },
            },
          },
        },
        ...more,
      },
    },
  },
});

const flow = (more: object = {}) => ({ tokenUrl: 'https://auth.acme.test/token', scopes: { read: '' }, ...more });

export const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Acme Shop REST API', version: '2026-01' },
  servers: [{ url: 'https://{shop}.acme.test/v1', variables: { shop: { default: 'demo' } } }],
  components: {
    schemas: { Order: ORDER },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      password: { type: 'http', scheme: 'basic' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: flow({ authorizationUrl: 'https://auth.acme.test/authorize' }),
          clientCredentials: flow(),
          implicit: flow(),
        },
      },
    },
  },
  paths: {
    '/me': { get: { responses: { 200: {} } } },
    '/orders': listOperation([parameter('cursor'), parameter('limit', { type: 'integer', maximum: 50 })], {
      meta: { type: 'object', properties: { next_cursor: { type: 'string' } } },
    }),
    '/orders/{order_id}': { get: { responses: { 200: {} } } },
    '/orders/{order_id}/lines': listOperation([{ name: 'order_id', in: 'path', required: true }]),
    '/by-page': listOperation([parameter('page', { type: 'integer' }), parameter('per_page', { type: 'integer' })], {
      total_pages: { type: 'integer' },
    }),
    '/by-offset': listOperation([parameter('offset', { type: 'integer' }), parameter('limit', { type: 'integer' })]),
    '/by-last-record': listOperation([parameter('starting_after')], { has_more: { type: 'boolean' } }),
    '/by-token': listOperation([parameter('page_token')], { next_page_token: { type: 'string' } }),
    '/by-link': listOperation([parameter('page')], {}, { headers: { Link: { schema: { type: 'string' } } } }),
    '/shops/{a}/orders/{b}/lines': listOperation(),
  },
};

export const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Acme' },
  host: 'api.acme.test',
  basePath: '/v2',
  securityDefinitions: {
    oauth: { type: 'oauth2', flow: 'application', tokenUrl: 'https://auth.acme.test/token', scopes: {} },
  },
  paths: {
    '/users': {
      get: {
        parameters: [{ name: 'page', in: 'query', type: 'integer', default: 0 }],
        responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/User' } } } },
      },
    },
  },
  definitions: { User: { allOf: [{ properties: { id: { type: 'integer' } } }, { properties: { name: {} } }] } },
};

/** A low-code manifest of Airbyte with references, parameters, a child stream and an incremental stream. */
export const MANIFEST = `
type: DeclarativeSource
spec:
  connection_specification:
    properties: { shop: { type: string }, api_key: { type: string, airbyte_secret: true } }
definitions:
  requester:
    type: HttpRequester
    url_base: "https://{{ config['shop'] }}.acme.test/v1/"
    authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" }
  retriever:
    type: SimpleRetriever
    requester: { $ref: '#/definitions/requester', path: "{{ parameters['path'] }}" }
    record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data, items] } }
    paginator:
      type: DefaultPaginator
      page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: cursor }
      page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
      pagination_strategy: { type: CursorPagination, page_size: 50, cursor_value: "{{ response['next'] }}" }
  orders:
    type: DeclarativeStream
    name: Orders
    primary_key: id
    $parameters: { path: orders }
    retriever: { $ref: '#/definitions/retriever' }
    schema_loader:
      type: InlineSchemaLoader
      schema: { properties: { id: { type: [string, 'null'] }, updated_at: { type: string, format: date-time } } }
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: updated_at
      datetime_format: '%Y-%m-%dT%H:%M:%SZ'
      start_time_option: { inject_into: request_parameter, field_name: since }
streams:
  - '#/definitions/orders'
  - type: DeclarativeStream
    name: lines
    primary_key: [order_id, position]
    transformations: [{ type: AddFields }]
    retriever:
      type: SimpleRetriever
      requester: { $ref: '#/definitions/requester', path: '/orders/{{ stream_partition.order_id }}/lines' }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { inject_into: request_parameter, field_name: offset }
        pagination_strategy: { type: OffsetIncrement, page_size: 10 }
      partition_router:
        type: SubstreamPartitionRouter
        parent_stream_configs:
          - { stream: { $ref: '#/definitions/orders' }, parent_key: id, partition_field: order_id }
    schema_loader: { type: InlineSchemaLoader, schema: { properties: { position: { type: integer } } } }
`;
