import type { ErrorCode } from '../src/kernel/errors.js';
import { RETRY_AFTER } from './errors.js';
import type { Json } from './openapi-schemas.js';

/** What all endpoints share: the request id, the envelope and the errors. */

const uuid = { type: 'string', format: 'uuid' };

export const REQUEST_ID: Json = {
  name: 'X-Request-ID',
  in: 'header',
  required: false,
  description:
    'Id of the request, a UUID; it comes back in `meta.requestId`. Without one, or with anything else, the service makes one.',
  schema: uuid,
};

export const HEADERS: Json = {
  RequestId: { description: 'Id of the request.', schema: uuid },
  ETag: {
    description: 'Strong validator of everything but the request id; send it back as `If-None-Match`.',
    schema: { type: 'string' },
  },
  ErrorCode: { description: 'The code that the body begins with.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

const link = (description: string): Json => ({ type: 'string', format: 'uri', nullable: true, description });

export const ENVELOPE: Json = {
  Meta: {
    type: 'object',
    description: 'About the reply.',
    required: ['requestId', 'totalCount'],
    properties: {
      requestId: { ...uuid, description: 'Id of the request.' },
      totalCount: {
        type: 'integer',
        nullable: true,
        description: 'Items in the whole list; null where the reply is no page of one.',
      },
    },
  },
  Links: {
    type: 'object',
    description: 'Addresses of other pages of the list.',
    required: ['first', 'last', 'next', 'prev'],
    properties: {
      first: link('First page.'),
      last: link('Last page.'),
      next: link('Next page; null on the last one.'),
      prev: link('Page before; null on the first one.'),
    },
  },
  Error: {
    type: 'object',
    description: 'What went wrong.',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { type: 'string', description: 'A code, a colon, and a sentence for people.' } },
  },
};

const SENTENCES: Record<ErrorCode, [description: string, example: string]> = {
  BAD_REQUEST: ['The request is malformed, or has an unknown or wrong field.', 'limit must be 250 or less.'],
  NOT_FOUND: ['There is nothing at this address.', 'There is no vendor of that slug.'],
  METHOD_NOT_ALLOWED: ['The address answers other methods.', 'This address answers GET, HEAD.'],
  REQUEST_TIMEOUT: ['The request did not arrive in time.', 'The request did not arrive in time.'],
  PAYLOAD_TOO_LARGE: ['The body is too large.', 'A body may have 1mb.'],
  UNSUPPORTED_MEDIA_TYPE: [
    'The body is of a type that is not taken here.',
    'The body is encoded in a way that is not known.',
  ],
  TOO_MANY_REQUESTS: ['A limit is reached.', 'Too many requests; try again later.'],
  HEADERS_TOO_LARGE: ['Address and headers are too long.', 'Address and headers may have 16384 bytes together.'],
  INTERNAL: [
    'The fault is on our side; nothing of it is told here.',
    'Something went wrong; the log has more under this request id.',
  ],
  UNAVAILABLE: ['The database is away for the moment.', 'The database cannot be reached; try again shortly.'],
};

const reference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

export function errorResponses(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [code, errorResponse(code)]));
}

function errorResponse(code: ErrorCode): Json {
  const [description, example] = SENTENCES[code];
  const headers = {
    'X-Request-ID': reference('RequestId'),
    'X-Error-Code': reference('ErrorCode'),
    ...(code in RETRY_AFTER && { 'Retry-After': reference('RetryAfter') }),
  };
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: `${code}: ${example}` } },
  };
  return { description, headers, content };
}
