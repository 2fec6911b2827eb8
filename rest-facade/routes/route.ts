import type { ErrorCode } from '../../src/kernel/errors.js';

/** One endpoint. The row says what the operation document and the schema do not: address, prose and example. */
export interface Route {
  /** Name of the GraphQL operation in `operations/`, and the OpenAPI operationId. */
  readonly operation: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI template; its parameters, and those of the query or the fields of the body, are the operation's variables. */
  readonly path: string;
  /** Answers without a bearer, the same for everybody; may be cached and carries an ETag. */
  readonly public?: true;
  /** Beyond the interface document; shown under the tag `Extensions`. */
  readonly extension?: true;
  readonly tag:
    | 'Vendors'
    | 'Connectors'
    | 'Connections'
    | 'Artifacts'
    | 'Taps'
    | 'Ingest tokens'
    | 'Tables'
    | 'Connector requests'
    | 'Users';
  readonly summary: string;
  readonly description: string;
  /** Sentence of the 404, where the operation may find nothing and answers null. */
  readonly notFoundMessage?: string;
  /** How else the operation itself fails, beside what every endpoint has. */
  readonly errorCodes?: readonly ErrorCode[];
  /** Answers one page: `data` is `{ items, limit, offset, total }`, with links to the other pages. */
  readonly paged?: true;
  /**
   * Answers a list, complete unless `limit` is given: `data` is an array, with links to the other pages if it is. The operation has a second root
   * field, `totalCount`.
   */
  readonly listed?: true;
  /** Names the state of `data`, which an endpoint for callers then sends as an ETag. */
  readonly version?: {
    /** Equal where all of `data` is. Visible ASCII without quotes. */
    readonly of: (data: unknown) => string;
    /** Name of the operation that asks for it alone: the first to be run where the client has some state already. */
    readonly operation: string;
  };
  /** `data` is a text of this media type, and the reply that text alone, without an envelope; errors are as ever. */
  readonly mediaType?: 'image/svg+xml';
  /** A POST that shows a secret once: its answer is not kept, so it takes no Idempotency-Key. */
  readonly showsSecret?: true;
  /**
   * A POST whose operation calls third parties: it runs outside of any transaction. Under an Idempotency-Key its answer is kept
   * all the same, but a service that dies in between leaves no trace of what was done, so that it may be done again.
   */
  readonly callsOut?: true;
  /** Where it calls out: seconds that it may take, if more than 2 minutes. Should the service die meanwhile, its Idempotency-Key is taken for as long. */
  readonly leaseSeconds?: number;
  /** A POST of a form: its part `file` is the variable of that name, its part `data` a JSON object of all others. Both bring codes of their own. */
  readonly upload?: true;
  /** A POST whose body holds secrets of the customer. */
  readonly takesSecret?: true;
  /** A value of `data`, shortened to what a reader needs. */
  readonly example: unknown;
}

/** Whether replies carry an ETag, and a request with an If-None-Match that is still right is a 304. */
export function hasEtag({ public: isPublic, version }: Route): boolean {
  return Boolean(isPublic || version);
}

/** Whether a request has a body, whose fields are variables of the operation. */
export function hasBody({ method }: Route): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

/** Whether a request may be repeated under its Idempotency-Key. */
export function acceptsIdempotencyKey({ method, showsSecret }: Route): boolean {
  return method === 'post' && !showsSecret;
}
