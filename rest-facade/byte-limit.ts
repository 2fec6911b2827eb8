export interface ByteLimit {
  readonly bytes: number;
  /** The limit as text for error messages, such as `1 MiB`. */
  readonly text: string;
}
