/** Measures with which the service compares the next run. The database stores them as JSON in this form. */
export interface RunMeasures {
  readonly rows: number;
  /** Version of the contract with scope `data` at the time of the check. */
  readonly contractVersion?: number;
  /** Approximate number of distinct values, by column. */
  readonly distinct?: Readonly<Record<string, number>>;
  /** Highest value, by column. Times are in seconds since 1970. */
  readonly highest?: Readonly<Record<string, number>>;
}
