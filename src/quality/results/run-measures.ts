/** Measures that the next run is compared with. Stored as JSON in this form. */
export interface RunMeasures {
  readonly rows: number;
  /** Version of the `data` contract at the time of the check. */
  readonly contractVersion?: number;
  /** Approximate number of distinct values by column. */
  readonly distinct?: Readonly<Record<string, number>>;
  /** Highest value by column; times in seconds since 1970. */
  readonly highest?: Readonly<Record<string, number>>;
}
