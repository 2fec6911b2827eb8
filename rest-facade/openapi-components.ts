import type { ErrorCode } from '../src/kernel/errors.js';
import { STATUS_BY_CODE } from './errors.js';
import type { OpenApiObject } from './openapi-schemas.js';

/** What all endpoints share: the request id, the envelope and the errors. */

const uuid = { type: 'string', format: 'uuid' };

const header = (name: string, description: string, schema: OpenApiObject): OpenApiObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

export const PARAMETERS: OpenApiObject = {
  RequestId: header(
    'X-Request-ID',
    'Id of the request, a UUID; it comes back in `meta.requestId`. Without one, or with anything else, the service makes one.',
    uuid,
  ),
  Tenant: header('X-Tenant', 'Slug of the workspace; comes before the one that the subdomain names.', {
    type: 'string',
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    example: 'demo',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes a repetition harmless: for 24 hours the same request under the same key is answered as the first one was, and has no further effect. Another request under the key is a 422; a file is compared by its bytes. One that failed may be tried again.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
};

export const SECURITY_SCHEMES: OpenApiObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the identity provider (RFC 9068), or an API key of the workspace (`wak_...`).',
  },
  ingestToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An ingest token of a tap (`wit_...`), for pushed records alone.',
  },
};

/** By the name that each has in a reply. */
export const HEADERS: Record<string, OpenApiObject> = {
  'X-Request-ID': { description: 'Id of the request.', schema: uuid },
  ETag: {
    description:
      'Validator of everything but the request id; send it back as `If-None-Match`. Weak (`W/`) where the reply is compressed.',
    schema: { type: 'string' },
  },
  'Content-Security-Policy': {
    description: 'Nothing in it may run or load anything.',
    schema: { type: 'string' },
  },
  'X-Error-Code': { description: 'The code that the body begins with.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'RateLimit-Limit': {
    description: 'Requests that are allowed a minute; of pushed records, in 5 seconds.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests that are left.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until all are allowed again.', schema: { type: 'integer' } },
  'Idempotency-Replayed': {
    description: '`true` where the answer is that of an earlier request under the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'Methods that the address answers.', schema: { type: 'string', example: 'GET, POST' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', example: 'Bearer' } },
};

export function headersOf(names: readonly string[]): OpenApiObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const link = (description: string): OpenApiObject => ({ type: 'string', format: 'uri', nullable: true, description });

export const ENVELOPE: OpenApiObject = {
  Meta: {
    type: 'object',
    description: 'About the reply.',
    required: ['requestId', 'totalCount'],
    properties: {
      requestId: { ...uuid, description: 'Id of the request.' },
      totalCount: {
        type: 'integer',
        nullable: true,
        description: 'Items in the whole list; null where the reply is no list.',
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

const ERROR_PROSE: Record<ErrorCode, [description: string, example: string]> = {
  BAD_REQUEST: ['The request is malformed, or has an unknown or wrong field.', 'limit must be 250 or less.'],
  WORKSPACE_REQUIRED: ['No workspace is named.', 'Name a workspace in X-Tenant or as subdomain.'],
  UNAUTHENTICATED: ['There is no bearer token, or it is not valid.', 'A bearer token is needed.'],
  FORBIDDEN: ['The caller lacks a permission.', 'This needs the permission connectors:read.'],
  WORKSPACE_FORBIDDEN: [
    'There is no such workspace, or the caller is no member of it.',
    'There is no such workspace, or you are no member of it.',
  ],
  NOT_FOUND: ['There is nothing at this address.', 'There is no vendor of that slug.'],
  METHOD_NOT_ALLOWED: ['The address answers other methods.', 'This address answers GET, HEAD.'],
  REQUEST_TIMEOUT: ['The request did not arrive in time.', 'The request did not arrive in time.'],
  CONFLICT: ['It does not fit the state that things are in.', 'This address is invited already.'],
  PAYLOAD_TOO_LARGE: ['The body is too large.', 'A body may have 1048576 bytes.'],
  UNSUPPORTED_MEDIA_TYPE: [
    'The body is of a type that is not taken here.',
    'The body must be application/json in UTF-8.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'The Idempotency-Key belongs to another request.',
    'This Idempotency-Key was used for another request.',
  ],
  STORAGE_QUOTA_EXCEEDED: [
    'The storage quota of the workspace has no room for this.',
    'The workspace uses 107374180000 of 107374182400 bytes of storage, and this needs more; delete files, or ask the operator for a larger quota.',
  ],
  OAUTH_STATE_INVALID: [
    'The state of a sign-in is unknown, used or too old.',
    'The state is unknown, used or older than 10 minutes; start again.',
  ],
  OAUTH_REFUSED: ['The vendor did not complete the sign-in.', 'The vendor refused the sign-in: access_denied.'],
  ARTIFACT_HAS_TAP: ['A tap was published from the file.', 'A tap was published from the file; delete the tap first.'],
  'WA-AF-001': ['The file is empty.', 'The file is empty.'],
  'WA-AF-002': ['The encoding of the file cannot be told.', 'The encoding cannot be told; save the file as UTF-8.'],
  'WA-AF-003': [
    'The file has bytes that its encoding does not know.',
    'The byte at offset 1042 stands for no character in utf-8.',
  ],
  'WA-AF-004': ['The file is binary where text is expected.', 'The file holds binary data, not text.'],
  'WA-AF-005': ['The delimiter of the file cannot be told.', 'No delimiter cuts the lines into columns.'],
  'WA-AF-006': ['The file has no header.', 'There is no line that names the columns.'],
  'WA-AF-007': ['The name of a column cannot be used.', 'The name of column 3 has 300 characters; 256 are allowed.'],
  'WA-AF-008': ['The file has too many columns.', 'The file has 5,000 columns; 4,096 are allowed.'],
  'WA-AF-009': ['A quote is never closed.', 'The quote that opens in line 7 is never closed.'],
  'WA-AF-010': ['A record is too long.', 'The record in line 1 has more than 1 MiB.'],
  'WA-AF-011': ['Too many rows are uneven.', 'Line 12 has 5 values where 7 are expected, and so have 31 of 200 rows.'],
  'WA-AF-012': ['The file is too large.', 'A file may have 104857600 bytes.'],
  'WA-AF-013': [
    'Files of this type are not taken, or the name says another type.',
    'The name says xlsx, the content is csv.',
  ],
  'WA-AF-014': ['The `data` part is wrong.', 'path must have 1024 or fewer characters.'],
  'WA-AF-015': ['The `file` part is missing or repeated.', 'There is no file part.'],
  'WA-AF-025': ['Looking into the file took too long.', 'Looking into the file took more than 10 seconds.'],
  'WA-AF-029': [
    'The file could not be stored; nothing of it was kept.',
    'The file could not be stored; try again later.',
  ],
  TOO_MANY_REQUESTS: ['A limit is reached.', '600 requests a minute are allowed; try again in 42 s.'],
  HEADERS_TOO_LARGE: ['Address and headers are too long.', 'Address and headers may have 16384 bytes together.'],
  INTERNAL: [
    'The fault is on our side; nothing of it is told here.',
    'Something went wrong; the log has more under this request id.',
  ],
  UNAVAILABLE: [
    'The database, or the identity provider, is away for the moment.',
    'The database cannot be reached; try again shortly.',
  ],
};

const EXTRA_HEADERS: Partial<Record<ErrorCode, string[]>> = {
  UNAUTHENTICATED: ['WWW-Authenticate'],
  METHOD_NOT_ALLOWED: ['Allow'],
  TOO_MANY_REQUESTS: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  UNAVAILABLE: ['Retry-After'],
};

/** Codes of a response that is named after them. */
const MAX_CODES_IN_NAME = 4;

/** The failures of all operations: one response for each set of codes that come with one status. */
export class ErrorResponses {
  readonly #responses = new Map<string, OpenApiObject>();

  /** By status. */
  of(codes: readonly ErrorCode[]): OpenApiObject {
    const byStatus = [...Map.groupBy(codes, (code) => STATUS_BY_CODE[code])] as [number, [ErrorCode, ...ErrorCode[]]][];
    return Object.fromEntries(
      byStatus.map(([status, together]) => {
        if (together.length > MAX_CODES_IN_NAME) return [status, errorResponse(together)];
        const name = together.join('.');
        this.#responses.set(name, errorResponse(together));
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  all(): OpenApiObject {
    return Object.fromEntries(this.#responses);
  }
}

/** Of all codes that come with one status. */
function errorResponse(codes: readonly [ErrorCode, ...ErrorCode[]]): OpenApiObject {
  const sentenceOf = (code: ErrorCode): string => `${code}: ${ERROR_PROSE[code][1]}`;
  const [first, ...others] = codes;
  const description = others.length
    ? codes.map((code) => `- \`${code}\`: ${ERROR_PROSE[code][0]}`).join('\n')
    : ERROR_PROSE[first][0];
  const more = new Set(codes.flatMap((code) => EXTRA_HEADERS[code] ?? []));
  const examples = Object.fromEntries(codes.map((code) => [code, { value: { error: sentenceOf(code) } }]));
  const shown = others.length ? { examples } : { example: { error: sentenceOf(first) } };
  return {
    description,
    headers: headersOf(['X-Request-ID', 'X-Error-Code', ...more]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...shown } },
  };
}
