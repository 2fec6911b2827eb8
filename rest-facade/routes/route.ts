import type { ErrorCode } from '../../src/kernel/errors.js';

/** One endpoint. The operation document and the schema do not contain its path, prose and example. */
export interface Route {
  /** Name of the GraphQL operation in `operations/`, and the OpenAPI operationId. */
  readonly operation: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path template. Path parameters, query parameters and body fields are the variables of the operation. */
  readonly path: string;
  /**
   * Whether the endpoint requires no authentication and returns the same response to all callers, with an ETag for
   * caches.
   */
  readonly public?: true;
  /** Whether the endpoint is not part of the core REST interface. It then has the tag `Extensions`. */
  readonly extension?: true;
  readonly tag:
    | 'Vendors'
    | 'Connectors'
    | 'Connections'
    | 'Syncs'
    | 'Artifacts'
    | 'Taps'
    | 'Ingest tokens'
    | 'Tables'
    | 'Connector requests'
    | 'Users';
  readonly summary: string;
  readonly description: string;
  /** Message of the 404 for an operation that returns null if it finds nothing. */
  readonly notFoundMessage?: string;
  /** Error codes of the operation itself, in addition to those that every endpoint can return. */
  readonly errorCodes?: readonly ErrorCode[];
  /**
   * Whether the endpoint returns one page: `data` is `{ items, limit, offset, total }`, with links to the other pages.
   */
  readonly paged?: true;
  /**
   * Whether the endpoint returns an array in `data`: the complete list or, with `limit`, one page with links to the
   * other pages. The operation has a second root field, `totalCount`.
   */
  readonly listed?: true;
  /** Version of `data`, sent as an ETag. */
  readonly version?: {
    /** Returns equal versions if and only if the data is equal. A version is visible ASCII without quotes. */
    readonly of: (data: unknown) => string;
    /** Name of the operation that reads only the version. It runs first if the request has an If-None-Match. */
    readonly operation: string;
  };
  /**
   * Media type of `data`, if `data` is text that forms the whole response body, without an envelope. Errors remain
   * JSON.
   */
  readonly mediaType?: 'image/svg+xml';
  /** Whether the POST shows a secret once. Its response is not stored, so it accepts no Idempotency-Key. */
  readonly showsSecret?: true;
  /**
   * Whether the operation of the POST calls third parties and therefore runs outside a transaction. Its response is
   * stored under the Idempotency-Key, but if the service dies before it stores the response, a retry repeats the calls.
   */
  readonly callsOut?: true;
  /**
   * Maximum duration of an operation that calls third parties, in seconds, 120 by default. If the service dies, the
   * Idempotency-Key stays locked for this long.
   */
  readonly leaseSeconds?: number;
  /**
   * Whether the POST takes a form: part `file` is the variable `file`, part `data` is a JSON object of all other
   * variables. Each part has separate error codes.
   */
  readonly upload?: true;
  /** Whether the body of the POST contains secrets of the customer. */
  readonly takesSecret?: true;
  /** Status of a success: 202 if a background job does the work. Defaults to 200. */
  readonly status?: 202;
  /** Example of `data`, shortened. */
  readonly example: unknown;
}

/** HTTP status of a success. */
export function successStatus({ status }: Route): number {
  return status ?? 200;
}

/** Whether responses carry an ETag and a matching If-None-Match returns 304. */
export function hasEtag({ public: isPublic, version }: Route): boolean {
  return Boolean(isPublic || version);
}

/** Whether a request has a body; its fields are variables of the operation. */
export function hasBody({ method }: Route): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

/** Whether the endpoint supports Idempotency-Key. */
export function acceptsIdempotencyKey({ method, showsSecret }: Route): boolean {
  return method === 'post' && !showsSecret;
}
