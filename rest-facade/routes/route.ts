import type { ErrorCode } from '../../src/kernel/errors.js';

/** A REST endpoint, without the facts that the operation document and the GraphQL schema contain. */
export interface Route {
  /** Name of the GraphQL operation in `operations/`, and operationId of OpenAPI. */
  readonly operation: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path template. Path parameters, query parameters and body fields are the variables of the operation. */
  readonly path: string;
  /** The endpoint requires no authentication and returns the same response, with an ETag, to all callers. */
  readonly public?: true;
  /** The endpoint extends the core REST API, and has the additional tag `Extensions`. */
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
  /** Message of the 404 if the operation returns null. */
  readonly notFoundMessage?: string;
  /** Error codes in addition to those of every endpoint. */
  readonly errorCodes?: readonly ErrorCode[];
  /** `data` is one page, `{ items, limit, offset, total }`. The response has links to other pages. */
  readonly paged?: true;
  /**
   * `data` is an array: the complete list or, with `limit`, one page with links to other pages. The operation has a
   * second root field, `totalCount`.
   */
  readonly listed?: true;
  /** The response contains the version of `data` as an ETag. */
  readonly version?: {
    /** Returns equal versions if and only if the data is equal. A version is visible ASCII without quotes. */
    readonly of: (data: unknown) => string;
    /** Operation that reads only the version. It runs first if the request has an If-None-Match. */
    readonly operation: string;
  };
  /** Media type of the response body, if the body consists only of the text in `data`. Errors remain JSON. */
  readonly mediaType?: 'image/svg+xml';
  /**
   * The response of the POST contains a secret that no other response repeats. The service does not store the response,
   * so the endpoint accepts no Idempotency-Key.
   */
  readonly showsSecret?: true;
  /**
   * The operation of the POST calls third parties, and therefore runs outside a transaction. If the service dies before
   * it has stored the response under the Idempotency-Key, a retry repeats the calls.
   */
  readonly callsOut?: true;
  /**
   * Maximum duration of an operation with `callsOut`. Defaults to 120. If the service dies, the Idempotency-Key remains
   * locked for this time.
   */
  readonly leaseSeconds?: number;
  /**
   * The POST takes a form. The part `file` is the variable `file`. The part `data` is a JSON object of all other
   * variables. If a part is invalid, the error code depends on the part.
   */
  readonly upload?: true;
  /** The body of the POST may contain secrets of the customer. */
  readonly takesSecret?: true;
  /** 202 if a background job does the work. Defaults to 200. */
  readonly status?: 202;
  readonly example: unknown;
}

export function successStatus({ status }: Route): number {
  return status ?? 200;
}

/** Returns whether responses have an ETag. If so, a request with a matching If-None-Match receives a 304. */
export function hasEtag({ public: isPublic, version }: Route): boolean {
  return Boolean(isPublic || version);
}

/** The fields of the body are variables of the operation. */
export function hasBody({ method }: Route): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

export function acceptsIdempotencyKey({ method, showsSecret }: Route): boolean {
  return method === 'post' && !showsSecret;
}
