import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { readTap } from '../../tables/existing-tap.js';
import { Access } from '../../tenancy/access.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import { resetTap } from './reset-tap.js';

const ID = { description: 'Id of the tap.' };

@Resolver(() => TenantConnectorTap)
export class TapResetResolver {
  @Access('taps:write')
  @Mutation(() => TenantConnectorTap, {
    description:
      'Resets a tap: the next sync reads it from the start. The table keeps its rows until this read is complete. Then the new rows replace them. Errors: NOT_FOUND if the tap does not exist. CONFLICT if the tap is not a pulled tap, if an external runner reads the connection, if the tap feeds the table of another tap, or while a sync of the tap is open.',
  })
  async resetTenantConnectorTap(
    @Arg('id', () => Base62Id, ID) id: string,
    @Ctx() { read, write }: WorkspaceContext,
  ): Promise<Lean<TenantConnectorTap>> {
    await write((tx) => resetTap(tx, id));
    return readTap(read, id);
  }
}
