export interface ByteLimit {
  readonly bytes: number;
  /** The limit as error messages show it, such as `1 MiB`. */
  readonly text: string;
}
