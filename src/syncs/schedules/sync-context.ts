import type { ConnectionContext } from '../../instances/credentials/connection-context.js';
import type { TableContext } from '../../tables/table-context.js';
import type { TapOpener } from '../reading/tap-opener.js';

export interface SyncContext extends TableContext, ConnectionContext {
  readonly taps: TapOpener;
}
