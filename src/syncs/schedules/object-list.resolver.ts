import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isObjectTap } from '../../catalog/model/object-tap.js';
import { VENDOR_LIMIT_ERROR } from '../../instances/credentials/vendor-request-limiter.js';
import { readInstance } from '../../instances/find-instance.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { AppError } from '../../kernel/errors.js';
import { Base62Id } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';
import { discoverObjects } from '../reading/discover-objects.js';
import { type SourceObject, SourceObjectList } from '../reading/object-list.js';
import { failureFieldsOf } from './failure-fields.js';
import type { SyncContext } from './sync-context.js';

const MAX_OBJECTS = 5_000;
const TIMEOUT_MS = 60_000;

@Resolver()
export class ObjectListResolver {
  @Access('taps:write')
  @Mutation(() => SourceObjectList, {
    description: `Lists the objects of the source that the connection can read, such as custom objects. The service does not store the list. To read an object, call \`addTenantConnectorTap\` with \`tapId\` of the result, and with the \`name\` of the object as \`objectName\`. If a request to the vendor fails, the result describes the failure. Errors: NOT_FOUND if the connection does not exist, CONFLICT if the definition of its connector has no \`objects\`. ${VENDOR_LIMIT_ERROR}`,
  })
  async discoverObjects(
    @Arg('instanceId', () => Base62Id, { description: 'Id of the connection.' }) instanceId: string,
    @Ctx() context: SyncContext,
  ): Promise<SourceObjectList> {
    const { read, write, caller, requestId, taps } = context;
    const instance = await readInstance(read, instanceId);
    const connector = await read.byId(Connector, instance.connector);
    const all = await read.many(ConnectorTap, 'connector', instance.connector);
    const tap = connector && all.find((definition) => isObjectTap(connector, definition));
    if (!tap)
      throw new AppError(
        'CONFLICT',
        'The definition of the connector has no `objects`, so the service cannot list objects.',
      );
    await context.countVendorRequest();
    await write(async (tx) => {
      const changed = await tx.em.findOneOrFail(TenantConnectorInstance, { id: instanceId });
      tx.recordAudit('objects.listed', changed, { tap: tap.name });
    });
    try {
      const source = await taps.open({ tenantId: caller.tenantId, instanceId, tap, requestId });
      const found = await discoverObjects(source, tap, AbortSignal.timeout(TIMEOUT_MS));
      const added = (await read.many(TenantConnectorTap, 'instance', instanceId)).filter(({ deletedAt }) => !deletedAt);
      const ids = new Map(added.map(({ id, objectName }) => [objectName, id]));
      const objects: SourceObject[] = found.map(({ name, label }) => {
        const id = ids.get(name);
        return { name, ...(label !== undefined && { label }), ...(id && { tenantConnectorTapId: id }) };
      });
      objects.sort((one, other) => (one.name < other.name ? -1 : 1));
      return { tapId: tap.id, objects: objects.slice(0, MAX_OBJECTS), isTruncated: objects.length > MAX_OBJECTS };
    } catch (error) {
      return { tapId: tap.id, objects: [], isTruncated: false, ...failureFieldsOf(error) };
    }
  }
}
