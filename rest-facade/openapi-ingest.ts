import type { ErrorCode } from '../src/kernel/errors.js';
import { type ErrorResponses, headersOf } from './openapi-components.js';
import type { OpenApiObject } from './openapi-schemas.js';

/** How the door for pushed records can fail. */
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
  description: 'An ingest token of the tap. Whoever has it can push, so the address is kept as a secret is.',
  schema: { type: 'string', pattern: '^wit_[0-9A-Za-z]{49}$' },
};

const common = ['IdempotencyKey', 'RequestId'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

const record: OpenApiObject = { type: 'object', additionalProperties: true, description: 'A record of the tap.' };

const records: OpenApiObject = {
  oneOf: [record, { type: 'array', maxItems: 10_000, items: { type: 'object', additionalProperties: true } }],
};

const requestBody: OpenApiObject = {
  required: true,
  description:
    'A record, an array of records, or one record a line; 1 MiB as it is sent. With `Content-Encoding: gzip` it may unpack to 20 MiB. Of a sender that signs, the signature is over the bytes as they are sent.',
  content: {
    'application/json': { schema: records, example: [{ id: 1, name: 'Ada' }] },
    'application/x-ndjson': { schema: { type: 'string' }, example: '{"id":1}\n{"id":2}\n' },
  },
};

const acceptedResponse: OpenApiObject = {
  description: 'The records are durable; they are in the table a few seconds later.',
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
  description: 'What a sender that checks the address wants back.',
  content: {
    'text/plain': { schema: { type: 'string', maxLength: 1_024 } },
    'application/json': { schema: { type: 'object', additionalProperties: { type: 'string' } } },
  },
};

const DESCRIPTION =
  'Takes records for the tap that the token is for, once their sender is verified as the connection says. A delivery that comes again is counted and not stored: it is told by the id that its sender signs, else, where nothing is signed, by `Idempotency-Key`, else by its bytes.';

/** The paths of the door for pushed records, which no GraphQL operation stands behind. */
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
      post: post('pushRecords', 'Push records, with the token as bearer', {
        security: [{ ingestToken: [] }],
        parameters: [],
      }),
    },
    '/ingest/{token}': {
      get: {
        operationId: 'answerHandshake',
        tags: TAGS,
        summary: 'Answer a sender that checks the address',
        description:
          'For senders that want to know whose the address is before they send. Which questions are answered is said by the inbound strategy of the connection; where it knows none, this is a 405.',
        security: [],
        parameters: [token],
        responses: { 200: challengeResponse, ...failures.of(HANDSHAKE_CODES) },
      },
      post: post('pushRecordsToAddress', 'Push records, with the token in the address', {
        security: [],
        parameters: [token],
      }),
    },
  };
}

export const INGEST_SCHEMAS: OpenApiObject = {
  Acceptance: {
    type: 'object',
    description: 'What became of a delivery.',
    required: ['accepted', 'duplicates', 'batchId'],
    additionalProperties: false,
    properties: {
      accepted: { type: 'integer', description: 'Records that were taken.' },
      duplicates: { type: 'integer', description: 'Records that had been taken before.' },
      batchId: {
        ...{ type: 'string', nullable: true, pattern: '^[0-9A-Za-z]{22}$' },
        description:
          'The batch that they are in; of a delivery that came again that of the first, if it is still known.',
      },
    },
  },
};
