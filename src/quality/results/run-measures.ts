/** The service compares the next run with these measures. The database stores them as JSON in this form. */
export interface RunMeasures {
  readonly rows: number;
  /** Version of the contract with scope `data`. */
  readonly contractVersion?: number;
  /** Approximate, by column. */
  readonly distinct?: Readonly<Record<string, number>>;
  /** By column. Times are in seconds since 1970. */
  readonly highest?: Readonly<Record<string, number>>;
}
