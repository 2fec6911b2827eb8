export interface RunCounts {
  readonly recordsRead: number;
  readonly recordsWritten: number;
  readonly recordsRejected: number;
  readonly bytesRead: number;
  readonly requests: number;
  /** Number of slices that were read or skipped. */
  readonly slicesDone: number;
}

export const NO_COUNTS: RunCounts = {
  ...{ recordsRead: 0, recordsWritten: 0, recordsRejected: 0 },
  ...{ bytesRead: 0, requests: 0, slicesDone: 0 },
};

export function addCounts(one: RunCounts, other: RunCounts): RunCounts {
  return {
    recordsRead: one.recordsRead + other.recordsRead,
    recordsWritten: one.recordsWritten + other.recordsWritten,
    recordsRejected: one.recordsRejected + other.recordsRejected,
    bytesRead: one.bytesRead + other.bytesRead,
    requests: one.requests + other.requests,
    slicesDone: one.slicesDone + other.slicesDone,
  };
}
