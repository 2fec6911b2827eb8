import { Arg, Args, ArgsType, Ctx, Field, Resolver, Root, Subscription } from 'type-graphql';
import { PlatformVendor } from '../catalog/model/platform-vendor.js';
import { PlatformVendorGrouping } from '../catalog/model/platform-vendor-grouping.js';
import type { Change } from '../kernel/changes/change.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean, MaybePromise, Reader } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { Access } from '../tenancy/access.js';
import { isOfParent, watchChanges } from '../tenancy/watch-changes.js';
import { findInstance } from './find-instance.js';
import { SyncJob } from './sync-job.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@ArgsType()
class InstanceChangesArgs {
  @Field(() => Base62Id, { nullable: true, description: 'Sends only this connection.' })
  id?: string | null;

  @Field(() => String, { nullable: true, description: 'Sends only connections to this vendor.' })
  vendorSlug?: string | null;
}

@Resolver()
export class ConnectionUpdatesResolver {
  @Access('connectors:read')
  @Subscription(() => TenantConnectorInstance, {
    nullable: true,
    description:
      'Sends a connection of the workspace after each change to its settings, credentials, credential tests, taps or syncs. Sends null after a connection was deleted. A status can also change because time passes, for example when credentials expire. Such a change causes no event.',
    subscribe: watchChanges<InstanceChangesArgs>(TenantConnectorInstance, {
      matches: (change, { id }) => !id || id === change.id,
      concerns: async ({ id }, { vendorSlug }, { read }) =>
        !vendorSlug || vendorSlug === (await readVendorSlug(read, id)),
    }),
  })
  tenantConnectorInstanceChanged(
    @Root() { id }: Change,
    @Args(() => InstanceChangesArgs) _args: InstanceChangesArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TenantConnectorInstance> | undefined> {
    return findInstance(read, id);
  }

  @Access('connectors:read')
  @Subscription(() => SyncJob, {
    description:
      'Sends a sync job of the workspace after each change by the service (about once a second during a sync), and after each report of an external runner.',
    subscribe: watchChanges(SyncJob, { matches: isOfParent('instanceId') }),
  })
  syncJobChanged(
    @Root() { id }: Change,
    @Arg('instanceId', () => Base62Id, {
      nullable: true,
      description: 'Sends only sync jobs of this connection.',
    })
    _instanceId: string | null,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<SyncJob> | undefined> {
    return read.byId(SyncJob, id);
  }
}

/** Also returns the slug for a deleted connection. */
async function readVendorSlug(read: Reader, instanceId: string): Promise<string | undefined> {
  const instance = await read.byId(TenantConnectorInstance, instanceId);
  const grouping = instance && (await read.byId(PlatformVendorGrouping, instance.grouping));
  const vendor = grouping && (await read.byId(PlatformVendor, grouping.vendor));
  return vendor?.slug;
}
