import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { readTap } from '../../tables/existing-tap.js';
import type { TableContext } from '../../tables/table-context.js';
import { Access } from '../../tenancy/access.js';
import { acceptHeldRows, discardRowsOfTap } from './decide-held-rows.js';

const ACCEPT = {
  description: 'If true, the service loads the held rows into the table. If false, the service discards the held rows.',
};

@Resolver(() => TenantConnectorTap)
export class HeldRowsResolver {
  @Access('syncs:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Accepts or discards the held rows of a tap. If too many records of the table are missing from a full read (check `missing_rate`), the run fails and the service holds the rows of the run. Rows are held if `TapRun.heldUntil` is in the future. If `accept` is true, the service loads the held rows without another read. In mode `replace`, the held rows then replace all rows of the table. In mode `upsert` or `history`, only the rows of the last step are held. The service merges these rows into the table and deletes the missing records. If `accept` is false, the service discards the held rows, if there are any. Errors: NOT_FOUND if the tap does not exist. With `accept: true`, CONFLICT if no rows are held, or if another job does not finish writing to the table within 10 seconds. STORAGE_QUOTA_EXCEEDED if the rows exceed the storage quota.',
  })
  async decideHeldRows(
    @Arg('id', () => Base62Id, { description: 'Id of the tap.' }) id: string,
    @Arg('accept', () => Boolean, ACCEPT) accept: boolean,
    @Ctx() context: TableContext,
  ): Promise<Lean<TenantConnectorTap>> {
    await (accept ? acceptHeldRows : discardRowsOfTap)(context, id);
    return readTap(context.read, id);
  }
}
