/** Limits of the body of a response, in bytes. */
export interface BodyLimits {
  /** Folder of the files with bodies that exceed `memoryBytes`. */
  readonly folder: string;
  /** Maximum size of a body in memory. Larger bodies are in a file. */
  readonly memoryBytes: number;
  /** Maximum size of a body that the service parses in one call. It reads larger bodies part by part. */
  readonly wholeBytes: number;
  /** Approximate size of the parts. */
  readonly partBytes: number;
  /** Maximum size, before and after decompression. */
  readonly maxBytes: number;
}
