/** Records per page of the tap `records`. */
export const PAGE_RECORDS = 1_000;

export interface VendorSettings {
  readonly pages: number;
  /** The tap `page` has one page, of about this size. */
  readonly pageBytes: number;
  readonly latencyMs: number;
  /** After this number of requests, the vendor rejects one request with 429. */
  readonly rejectAfter?: number;
  readonly retryAfterSeconds?: number;
}

export interface VendorRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `Authorization` header, which identifies the connection. */
  readonly token: string;
  readonly isRejected: boolean;
}
