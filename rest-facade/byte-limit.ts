export interface ByteLimit {
  readonly bytes: number;
  /** The limit in the form for error messages, such as `1 MiB`. */
  readonly text: string;
}
