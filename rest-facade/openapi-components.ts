import type { ErrorCode } from '../src/kernel/errors.js';
import { STATUS_BY_CODE } from './errors.js';
import type { OpenApiObject } from './openapi-schemas.js';

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
    'Id of the request, a UUID, returned in `meta.requestId`. If it is missing or not a UUID, the service generates one.',
    uuid,
  ),
  Tenant: header('X-Tenant', 'Slug of the workspace. The header takes precedence over the subdomain.', {
    type: 'string',
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    example: 'demo',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes retries safe. For 24 hours, a repeated request with the same key returns the first response and has no further effect. A different request with the same key fails with 422. Two uploads with different file content are different requests. A failed request can be retried with the same key.',
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
    description: 'An ingest token of a tap (`wit_...`), for pushed records only.',
  },
};

export const HEADERS: Record<string, OpenApiObject> = {
  'X-Request-ID': { description: 'Id of the request.', schema: uuid },
  ETag: {
    description:
      'ETag of the response, computed without the request id. Send the ETag as `If-None-Match`. The ETag is weak (`W/`) if the response is compressed.',
    schema: { type: 'string' },
  },
  'Content-Security-Policy': {
    description: 'Prevents the response from running scripts or loading resources.',
    schema: { type: 'string' },
  },
  'X-Error-Code': {
    description: 'Error code. The same code is at the start of `error` in the body.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Number of seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'RateLimit-Limit': {
    description: 'Number of requests allowed per minute or, for pushed records, per 5 seconds.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Number of requests that the limit still allows.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': { description: 'Seconds until the full limit is available again.', schema: { type: 'integer' } },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'Methods that this URL supports.', schema: { type: 'string', example: 'GET, POST' } },
  'WWW-Authenticate': {
    description: 'How the client must authenticate.',
    schema: { type: 'string', example: 'Bearer' },
  },
};

export function headersOf(names: readonly string[]): OpenApiObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const link = (description: string): OpenApiObject => ({ type: 'string', format: 'uri', nullable: true, description });

export const ENVELOPE: OpenApiObject = {
  Meta: {
    type: 'object',
    description: 'Metadata of the response.',
    required: ['requestId', 'totalCount'],
    properties: {
      requestId: { ...uuid, description: 'Id of the request.' },
      totalCount: {
        type: 'integer',
        nullable: true,
        description: 'Number of items in the whole list. Null if the response is not a list.',
      },
    },
  },
  Links: {
    type: 'object',
    description: 'URLs of other pages of the list.',
    required: ['first', 'last', 'next', 'prev'],
    properties: {
      first: link('URL of the first page.'),
      last: link('URL of the last page.'),
      next: link('URL of the next page. Null on the last page.'),
      prev: link('URL of the previous page. Null on the first page.'),
    },
  },
  Error: {
    type: 'object',
    description: 'Error response.',
    required: ['error'],
    additionalProperties: false,
    properties: { error: { type: 'string', description: 'A code, a colon, and a sentence for humans.' } },
  },
};

const ERROR_PROSE: Record<ErrorCode, [description: string, example: string]> = {
  BAD_REQUEST: ['The request is malformed or has an unknown or invalid field.', 'limit must be 250 or less.'],
  WORKSPACE_REQUIRED: [
    'The request does not specify a workspace.',
    'The request does not specify a workspace. Send X-Tenant, or use the subdomain of the workspace.',
  ],
  UNAUTHENTICATED: ['The bearer token is missing or invalid.', 'A bearer token is required.'],
  FORBIDDEN: ['The caller lacks a permission.', 'This operation requires the permission connectors:read.'],
  WORKSPACE_FORBIDDEN: [
    'The workspace does not exist, or the caller is not a member of it.',
    'The workspace does not exist, or you are not a member of it.',
  ],
  NOT_FOUND: ['The URL or the resource does not exist.', 'The vendor does not exist.'],
  METHOD_NOT_ALLOWED: ['The URL does not support this method.', 'This URL supports only GET, HEAD.'],
  REQUEST_TIMEOUT: [
    'The request did not arrive in time. Send the request again.',
    'The request did not arrive in time. Send the request again.',
  ],
  CONFLICT: [
    'The request conflicts with the current state of the resource.',
    'This email address is already invited. Revoke the invitation first.',
  ],
  PAYLOAD_TOO_LARGE: ['The request body is too large.', 'The request body exceeds the limit of 1 MiB.'],
  UNSUPPORTED_MEDIA_TYPE: [
    'The media type or encoding of the body is not supported.',
    'The body must be application/json in UTF-8.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'The Idempotency-Key was used for a different request.',
    'This Idempotency-Key was already used for a different request.',
  ],
  STORAGE_QUOTA_EXCEEDED: [
    'The request needs more storage than the quota of the workspace allows.',
    'The workspace uses 107,374,180,000 of 107,374,182,400 bytes of storage, and this operation needs more. Delete files, or ask the operator for a larger quota.',
  ],
  OAUTH_STATE_INVALID: [
    'The parameter `state` of the sign-in is unknown, already used or expired.',
    'The parameter `state` is unknown, already used, or older than 10 minutes. Start the sign-in again.',
  ],
  OAUTH_REFUSED: [
    'The sign-in was cancelled, or the vendor issued no tokens.',
    'The sign-in at the vendor failed or was cancelled. Start the sign-in again.',
  ],
  ARTIFACT_HAS_TAP: [
    'The workspace has a tap that was published from the file.',
    'A tap was published from the file. Delete the tap first.',
  ],
  'WA-AF-001': ['The file is empty.', 'The file is empty.'],
  'WA-AF-002': [
    'The encoding of the file cannot be determined.',
    'The encoding of the file is unknown or not supported. Save the file as UTF-8.',
  ],
  'WA-AF-003': [
    'The file has bytes that are invalid in its encoding.',
    'The byte at offset 1042 is invalid in utf-8. Save the file again as UTF-8.',
  ],
  'WA-AF-004': [
    'The file contains binary data instead of text.',
    'The file contains NUL bytes, so it is not a text file.',
  ],
  'WA-AF-005': [
    'The delimiter of the file cannot be determined.',
    'The delimiter cannot be detected: with each candidate, the lines have different numbers of columns. Add a first line such as `sep=;`.',
  ],
  'WA-AF-006': ['The file has no column names and no values.', 'The table has no column names and no values.'],
  'WA-AF-007': [
    'A column name has more than 256 characters or contains control characters, or all names together exceed 128 KiB.',
    'The name of column 3 has more than the maximum of 256 characters.',
  ],
  'WA-AF-008': ['A row has more than 4,096 values.', 'The record at line 1 has more than the maximum of 4,096 values.'],
  'WA-AF-009': [
    'An opening quote has no closing quote.',
    'An opening quote in the record at line 7 has no closing quote.',
  ],
  'WA-AF-010': [
    'A row exceeds 1,048,576 characters.',
    'The record at line 1 has more than the maximum of 1,048,576 characters.',
  ],
  'WA-AF-011': [
    'The file has no readable table.',
    'The file has no readable table: 120 of 200 rows have more values than the table has columns (3). The first such row is in line 2 and has 7 values.',
  ],
  'WA-AF-012': ['The file is too large.', 'The file is larger than the limit of 100 MiB. Upload a smaller file.'],
  'WA-AF-013': [
    'The file type is not supported, or the file name has the extension of a different type.',
    'The file name has the extension of the type xlsx, but the content is csv. Correct the file name.',
  ],
  'WA-AF-014': [
    'The `data` part is repeated or invalid, or the file name or path is invalid.',
    'path must have 1024 or fewer characters.',
  ],
  'WA-AF-015': ['The `file` part is missing or repeated.', 'The file part is missing.'],
  'WA-AF-023': [
    'The stored bytes of the file are missing or changed.',
    'The stored bytes are missing, or differ from the uploaded bytes. Upload the file again.',
  ],
  'WA-AF-025': [
    'Reading the file took more than 10 seconds.',
    'Reading the file took more than the limit of 10 seconds. Try again later.',
  ],
  'WA-AF-029': [
    'The service could not store the file and has kept no part of it.',
    'The service could not store the file. Try again later.',
  ],
  'WA-AF-031': [
    'The file lacks one of the `columns`, two items of `columns` have the same `name`, or a type is incomplete or invalid.',
    'Column "price" requires `scale`.',
  ],
  TOO_MANY_REQUESTS: [
    'A rate limit or a limit of concurrent requests is exceeded.',
    'The limit is 600 requests per minute. Try again in 42 s.',
  ],
  HEADERS_TOO_LARGE: [
    'The URL and the headers are too large in total.',
    'The URL and the headers exceed the limit of 16 KiB in total.',
  ],
  INTERNAL: [
    'An internal error occurred. The log of the service contains the details.',
    'An internal error occurred. The log of the service contains the error and the id of this request.',
  ],
  UNAVAILABLE: [
    'The service is overloaded or stopping, or a system that it requires is temporarily unavailable: the database, the secret store or the identity provider.',
    'The database is unavailable. Try again shortly.',
  ],
};

const EXTRA_HEADERS: Partial<Record<ErrorCode, string[]>> = {
  UNAUTHENTICATED: ['WWW-Authenticate'],
  METHOD_NOT_ALLOWED: ['Allow'],
  TOO_MANY_REQUESTS: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  UNAVAILABLE: ['Retry-After'],
};

/** A response with more codes has no component, because its name would be too long. */
const MAX_CODES_IN_NAME = 4;

/**
 * Groups the error codes of an operation by status. Each distinct group becomes one component, named after its codes.
 */
export class ErrorResponses {
  readonly #responses = new Map<string, OpenApiObject>();

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
