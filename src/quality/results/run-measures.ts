/** What a run has measured, as far as the next one is compared with it. Stored as it is. */
export interface RunMeasures {
  readonly rows: number;
  /** The `version` of the contract that a whole table was looked at by. */
  readonly contractVersion?: number;
  /** By column: distinct values, about. */
  readonly distinct?: Readonly<Record<string, number>>;
  /** By column: its highest value as a number, of times in seconds since 1970. */
  readonly highest?: Readonly<Record<string, number>>;
}
