/** Records of an ordinary page. */
export const PAGE_RECORDS = 1_000;

/** Behaviour of the vendor, and the requests for records since it was set. */
export interface VendorSettings {
  /** Number of pages of the tap `records`. */
  readonly pages: number;
  /** Approximate size of the only page of the tap `page`. */
  readonly pageBytes: number;
  readonly latencyMs: number;
  /** Rejects one request with 429 after this many requests. */
  readonly rejectAfter?: number;
  readonly retryAfterSeconds?: number;
}

export interface VendorRequest {
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  /** `Authorization` header, which identifies the connection. */
  readonly token: string;
  /** Whether the response was 429. */
  readonly isRejected: boolean;
}
