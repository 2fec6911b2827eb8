import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';

/** The quality gate of the table rejected the rows. The table keeps its last data. */
export class RejectedRows extends Error {
  override readonly name: string = 'RejectedRows';
}

/** The quality gate rejected the rows, but a user may accept them. */
export class HeldRows extends RejectedRows {
  override readonly name = 'HeldRows';

  constructor(
    message: string,
    /** The caller must call `hold` in the transaction that ends the tap run. */
    readonly hold: (tx: WorkspaceTransaction) => Promise<void>,
  ) {
    super(message);
  }
}
