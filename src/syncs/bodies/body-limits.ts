export interface BodyLimits {
  /** Folder for bodies that exceed `memoryBytes`. */
  readonly folder: string;
  readonly memoryBytes: number;
  /** The service parses bodies up to this size in one call, and larger bodies part by part. */
  readonly wholeBytes: number;
  /** Approximate size of the parts. */
  readonly partBytes: number;
  /** Applies before and after decompression. */
  readonly maxBytes: number;
}
