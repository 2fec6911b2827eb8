import type { TableFileKind } from './table-file.js';

/** A file that is in the store, and no part of its table yet. */
export interface WrittenFile {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  /** Of the oldest and the latest of its rows. */
  readonly firstReceivedAt: Date;
  readonly lastReceivedAt: Date;
}
