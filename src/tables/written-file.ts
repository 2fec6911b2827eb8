import type { TableFileKind } from './table-file.js';

/** An uploaded file that is not part of its table yet. */
export interface WrittenFile {
  readonly id: string;
  readonly kind: TableFileKind;
  readonly rows: number;
  readonly bytes: number;
  /** When the oldest and the newest row were received. */
  readonly firstReceivedAt: Date;
  readonly lastReceivedAt: Date;
}
