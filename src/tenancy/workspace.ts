import { BigIntType } from '@mikro-orm/core';
import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Audited } from '../kernel/entities/audited.js';
import { JsonColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { CURRENT_TENANT } from '../kernel/entities/tenant-table.js';

/** With this setting, a statement can find one workspace by its slug, before the tenant is known. */
export const SLUG_SETTING = 'taproot.workspace_slug';

const IS_CURRENT = `id = ${CURRENT_TENANT}`;

@PlainObjectType('The connections, files, tables and users of one customer, isolated from all other workspaces.')
@Entity({
  policies: [
    { name: 'tenant', using: IS_CURRENT, check: IS_CURRENT },
    { name: 'named', command: 'select', using: `slug = current_setting('${SLUG_SETTING}', true)` },
  ],
  rowLevelSecurity: 'force',
})
export class Workspace extends Audited {
  @TextColumn('Unique short name of the workspace. A request contains it in the header `X-Tenant` or as the subdomain.')
  @Unique()
  slug: string;

  @TextColumn('Display name.')
  name: string;

  @JsonColumn(
    () => [String],
    'URIs to which a vendor may redirect the browser after a sign-in. A requested `redirectUri` must equal one of these URIs exactly.',
  )
  oauthRedirectUris: string[] = [];

  /**
   * Overrides the default quota of the installation; 0 disables the limit. The operator sets it with
   * scripts/set-storage-quota.ts.
   */
  @Property({ type: new BigIntType('number'), nullable: true })
  storageQuotaBytes?: number;
}
