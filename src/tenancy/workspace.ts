import { BigIntType } from '@mikro-orm/core';
import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Audited } from '../kernel/entities/audited.js';
import { JsonColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { CURRENT_TENANT } from '../kernel/entities/tenant-table.js';

/** With this setting, a statement can find one workspace by its slug, before the tenant is known. */
export const SLUG_SETTING = 'taproot.workspace_slug';

const IS_CURRENT = `id = ${CURRENT_TENANT}`;

@PlainObjectType('Tenant with its own connections, files, tables and users, isolated from all other workspaces.')
@Entity({
  policies: [
    { name: 'tenant', using: IS_CURRENT, check: IS_CURRENT },
    { name: 'named', command: 'select', using: `slug = current_setting('${SLUG_SETTING}', true)` },
  ],
  rowLevelSecurity: 'force',
})
export class Workspace extends Audited {
  @TextColumn('Unique identifier of the workspace in `X-Tenant` and as a subdomain.')
  @Unique()
  slug: string;

  @TextColumn('Display name.')
  name: string;

  @JsonColumn(
    () => [String],
    'URIs to which a vendor may redirect the browser after a sign-in. The service compares them exactly.',
  )
  oauthRedirectUris: string[] = [];

  /**
   * Overrides the default quota of the installation; 0 disables the limit. The operator sets it with
   * scripts/set-storage-quota.ts.
   */
  @Property({ type: new BigIntType('number'), nullable: true })
  storageQuotaBytes?: number;
}
