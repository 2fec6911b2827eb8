import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { readTap } from '../../tables/existing-tap.js';
import type { TableContext } from '../../tables/table-context.js';
import { Access } from '../../tenancy/access.js';
import { decideHeldRecords } from './decide-held-records.js';

const ACCEPT = {
  description:
    'If true, the table gets the columns, and the service loads the records. If false, the service rejects these records, and also rejects later records that contain a refused field.',
};

@Resolver(() => TenantConnectorTap)
export class HeldRecordsResolver {
  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Accepts or refuses the columns that the held records of a tap need. `proposedColumns` of the table lists the columns. If `accept` is true, the table gets the columns, and the service loads the records. If `accept` is false, the service rejects these records, and also rejects later records that contain a refused field (`refusedFields`). If no records are held, only creates an audit entry. Errors: NOT_FOUND if the tap does not exist. CONFLICT if the quality gate of the table rejects the rows, or if another job does not finish writing to the table within 10 seconds. STORAGE_QUOTA_EXCEEDED if the rows exceed the storage quota.',
  })
  async decideHeldRecords(
    @Arg('id', () => Base62Id, { description: 'Id of the tap whose table has the held records.' }) id: string,
    @Arg('accept', () => Boolean, ACCEPT) accept: boolean,
    @Ctx() context: TableContext,
  ): Promise<Lean<TenantConnectorTap>> {
    await decideHeldRecords(context, id, accept ? 'accept' : 'refuse');
    return readTap(context.read, id);
  }
}
