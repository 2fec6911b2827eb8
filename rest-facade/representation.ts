/** RFC 9110, section 8.4.1. */
export type ContentCoding = 'br' | 'gzip';

/** A response, split around its request id. Both parts are the same for all callers that send the same request. */
export interface Representation {
  readonly before: Buffer;
  readonly after: Buffer;
  readonly coding?: ContentCoding;
  /** Returns the last 8 bytes of the response, which depend on the request id. */
  readonly trailer?: (requestId: string) => Buffer;
  readonly etag?: string;
  /** Defaults to `application/json`. */
  readonly mediaType?: string;
}

export const UUID_LENGTH = 36;
