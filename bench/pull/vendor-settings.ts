/** Number of records of an ordinary page. */
export const PAGE_RECORDS = 1_000;

/** Settings of the vendor, and the requests for records since the benchmark set them. */
export interface VendorSettings {
  /** Number of pages of the tap `records`. */
  readonly pages: number;
  /** Approximate size of the only page of the tap `page`. */
  readonly pageBytes: number;
  readonly latencyMs: number;
  /** Number of requests after which the vendor rejects one request with 429. */
  readonly rejectAfter?: number;
  readonly retryAfterSeconds?: number;
}

export interface VendorRequest {
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  /** `Authorization` header, which identifies the connection. */
  readonly token: string;
  /** Whether the response had the status 429. */
  readonly isRejected: boolean;
}
