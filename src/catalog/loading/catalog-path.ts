import { Connector } from '../model/connector.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';

/** Returns a path such as `github`, `github/groupings/issues` or `github/github/token`. */
export function catalogPathOf(entity: object): string {
  if (entity instanceof PlatformVendor) return entity.slug;
  if (entity instanceof PlatformVendorGrouping)
    return `${entity.vendor.getEntity().slug}/groupings/${entity.groupingPath}`;
  if (entity instanceof Connector) return `${entity.vendor.getEntity().slug}/${entity.definitionKey}`;
  const part = entity as { connector: { getEntity(): Connector }; definitionKey?: string; name?: string };
  return `${catalogPathOf(part.connector.getEntity())}/${part.definitionKey ?? part.name}`;
}
