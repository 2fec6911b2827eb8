import type { ErrorCode } from '../src/kernel/errors.js';
import { type ErrorResponses, headersOf } from './openapi-components.js';
import type { OpenApiObject } from './openapi-schemas.js';

const COMMON_CODES: readonly ErrorCode[] = [
  ...(['BAD_REQUEST', 'UNAUTHENTICATED', 'REQUEST_TIMEOUT', 'CONFLICT'] as const),
  ...(['TOO_MANY_REQUESTS', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'] as const),
];
const PUSH_CODES: readonly ErrorCode[] = [
  ...COMMON_CODES,
  ...(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'IDEMPOTENCY_KEY_REUSED', 'STORAGE_QUOTA_EXCEEDED'] as const),
];
const HANDSHAKE_CODES: readonly ErrorCode[] = [...COMMON_CODES, 'METHOD_NOT_ALLOWED'];

const TAGS = ['Ingest tokens', 'Extensions'];

const token: OpenApiObject = {
  ...{ name: 'token', in: 'path', required: true },
  description:
    'The ingest token. It determines the tap that receives the records. The URL authorizes pushes, so keep the URL secret.',
  schema: { type: 'string', pattern: '^wit_[0-9A-Za-z]{49}$' },
};

const common = ['IdempotencyKey', 'RequestId'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

const record: OpenApiObject = { type: 'object', additionalProperties: true, description: 'One record of the tap.' };

const records: OpenApiObject = {
  oneOf: [record, { type: 'array', maxItems: 10_000, items: { type: 'object', additionalProperties: true } }],
};

const requestBody: OpenApiObject = {
  required: true,
  description:
    'One record, an array of records, or one record per line (NDJSON). The body may have at most 1 MiB. A body with `Content-Encoding: gzip` may have at most 1 MiB compressed and 20 MiB decompressed. A sender signs the body as sent, that is, after compression.',
  content: {
    'application/json': { schema: records, example: [{ id: 1, name: 'Ada' }] },
    'application/x-ndjson': { schema: { type: 'string' }, example: '{"id":1}\n{"id":2}\n' },
  },
};

const acceptedResponse: OpenApiObject = {
  description:
    'The service has stored the records. They appear in the table about 10 seconds later, or up to 10 minutes later in a large table.',
  headers: headersOf(['X-Request-ID', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { $ref: '#/components/schemas/Acceptance' },
          meta: { $ref: '#/components/schemas/Meta' },
        },
      },
      example: {
        data: { accepted: 1, duplicates: 0, batchId: '2sF9cXk1Ip632vFLrnsWS5' },
        meta: { requestId: '3f0d2c8e-6b1a-4c5d-9e7f-0a1b2c3d4e5f', totalCount: null },
      },
    },
  },
};

const challengeResponse: OpenApiObject = {
  description: "The response that the sender's verification protocol expects.",
  content: {
    'text/plain': { schema: { type: 'string', maxLength: 1_024 } },
    'application/json': { schema: { type: 'object', additionalProperties: { type: 'string' } } },
  },
};

const DESCRIPTION =
  'Verifies the sender as configured in the connection, and accepts records for the tap of the token. The service counts the records of a repeated delivery as duplicates, and does not store them again. If the sender signs its deliveries, the service recognizes a repeated delivery by the signed id or, without a signed id, by the body. If the sender does not sign, the service recognizes a repeated delivery by `Idempotency-Key` or, without this header, by the body.';

/** The endpoint for pushed records has no GraphQL operation. */
export function ingestPaths(failures: ErrorResponses): Record<string, OpenApiObject> {
  const ofPushes = { 200: challengeResponse, 202: acceptedResponse, ...failures.of(PUSH_CODES) };
  const post = (
    operationId: string,
    summary: string,
    own: { security: OpenApiObject[]; parameters: OpenApiObject[] },
  ): OpenApiObject => ({
    ...{ operationId, tags: TAGS, summary, description: DESCRIPTION, security: own.security },
    ...{ parameters: [...own.parameters, ...common], requestBody, responses: ofPushes },
  });
  return {
    '/ingest': {
      post: post('pushRecords', 'Push records with a bearer token', {
        security: [{ ingestToken: [] }],
        parameters: [],
      }),
    },
    '/ingest/{token}': {
      get: {
        operationId: 'answerHandshake',
        tags: TAGS,
        summary: 'Respond to the handshake of a sender',
        description:
          'Some senders verify the URL before they push records. This endpoint responds to their request. The inbound strategy of the connection defines how a sender verifies the URL. If the strategy defines no such verification, the response is 405.',
        security: [],
        parameters: [token],
        responses: { 200: challengeResponse, ...failures.of(HANDSHAKE_CODES) },
      },
      post: post('pushRecordsToAddress', 'Push records with the token in the URL', {
        security: [],
        parameters: [token],
      }),
    },
  };
}

export const INGEST_SCHEMAS: OpenApiObject = {
  Acceptance: {
    type: 'object',
    description: 'Result of a delivery.',
    required: ['accepted', 'duplicates', 'batchId'],
    additionalProperties: false,
    properties: {
      accepted: { type: 'integer', description: 'Number of records accepted.' },
      duplicates: { type: 'integer', description: 'Number of records that an earlier delivery had already stored.' },
      batchId: {
        ...{ type: 'string', nullable: true, pattern: '^[0-9A-Za-z]{22}$' },
        description:
          'Id of the batch with the records. For a repeated delivery, the id of the batch of the first delivery. Null if the service no longer knows the first delivery, or if the request had no records.',
      },
    },
  },
};
