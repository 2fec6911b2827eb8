/** Records per page of the tap `records`. */
export const PAGE_RECORDS = 1_000;

export interface VendorSettings {
  readonly pages: number;
  /** Approximate size of the only page of the tap `page`. */
  readonly pageBytes: number;
  readonly latencyMs: number;
  /** The vendor rejects one request with 429 after this many requests. */
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
