import type { ErrorCode } from '../../src/kernel/errors.js';

/**
 * One endpoint, with the path, descriptions and example that neither the operation document nor the schema contains.
 */
export interface Route {
  /** Name of the GraphQL operation in `operations/`. It is also the operationId of OpenAPI. */
  readonly operation: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path template. Path parameters, query parameters and body fields are the variables of the operation. */
  readonly path: string;
  /**
   * Whether the endpoint requires no authentication and returns the same response to all callers. The response has an
   * ETag for caches.
   */
  readonly public?: true;
  /** Whether the endpoint is not part of the core REST API. Such an endpoint has the tag `Extensions`. */
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
  /** Message of the 404 for an operation that returns null if the object does not exist. */
  readonly notFoundMessage?: string;
  /** Error codes of the operation itself, in addition to the codes of every endpoint. */
  readonly errorCodes?: readonly ErrorCode[];
  /**
   * Whether the endpoint returns one page. `data` is then `{ items, limit, offset, total }`, with links to the other
   * pages.
   */
  readonly paged?: true;
  /**
   * Whether `data` is an array. It is the complete list or, with `limit`, one page with links to the other pages. The
   * operation has a second root field, `totalCount`.
   */
  readonly listed?: true;
  /** Version of `data`. The response contains it as an ETag. */
  readonly version?: {
    /** Returns equal versions if and only if the data is equal. A version is visible ASCII without quotes. */
    readonly of: (data: unknown) => string;
    /**
     * Name of the operation that reads only the version. If the request has an If-None-Match, this operation runs
     * first.
     */
    readonly operation: string;
  };
  /**
   * Media type of `data`. Set if `data` is text that is the whole response body, without an envelope. Errors remain
   * JSON.
   */
  readonly mediaType?: 'image/svg+xml';
  /**
   * Whether the response of the POST contains a secret that no other response repeats. The service does not store the
   * response, so the endpoint accepts no Idempotency-Key.
   */
  readonly showsSecret?: true;
  /**
   * Whether the operation of the POST calls third parties, and therefore runs outside a transaction. The service stores
   * the response under the Idempotency-Key. If the service dies before that, a retry repeats the calls.
   */
  readonly callsOut?: true;
  /**
   * Maximum duration of an operation that calls third parties, in seconds. Defaults to 120. If the service dies, the
   * Idempotency-Key remains locked for this time.
   */
  readonly leaseSeconds?: number;
  /**
   * Whether the POST takes a form. The part `file` is the variable `file`. The part `data` is a JSON object of all
   * other variables. Each part has its own error codes.
   */
  readonly upload?: true;
  /** Whether the body of the POST contains secrets of the customer. */
  readonly takesSecret?: true;
  /** Status of a successful response. 202 if a background job does the work. Defaults to 200. */
  readonly status?: 202;
  /** Shortened example of `data`. */
  readonly example: unknown;
}

/** Returns the HTTP status of a successful response. */
export function successStatus({ status }: Route): number {
  return status ?? 200;
}

/** Returns whether responses have an ETag. A matching If-None-Match then leads to a 304. */
export function hasEtag({ public: isPublic, version }: Route): boolean {
  return Boolean(isPublic || version);
}

/** Returns whether a request has a body. The fields of the body are variables of the operation. */
export function hasBody({ method }: Route): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

/** Returns whether the endpoint supports Idempotency-Key. */
export function acceptsIdempotencyKey({ method, showsSecret }: Route): boolean {
  return method === 'post' && !showsSecret;
}
