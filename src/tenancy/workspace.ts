import { BigIntType } from '@mikro-orm/core';
import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Audited } from '../kernel/entities/audited.js';
import { JsonColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { CURRENT_TENANT } from '../kernel/entities/tenant-table.js';

/** The setting under which a statement may look up one workspace by its slug, before the tenant is known. */
export const SLUG_SETTING = 'taproot.workspace_slug';

const IS_CURRENT = `id = ${CURRENT_TENANT}`;

@PlainObjectType('A tenant: its connections, files, tables and people, walled off from all others.')
@Entity({
  policies: [
    { name: 'tenant', using: IS_CURRENT, check: IS_CURRENT },
    { name: 'named', command: 'select', using: `slug = current_setting('${SLUG_SETTING}', true)` },
  ],
  rowLevelSecurity: 'force',
})
export class Workspace extends Audited {
  @TextColumn('Names the workspace in `X-Tenant` and as subdomain; unique.')
  @Unique()
  slug: string;

  @TextColumn('Name for people.')
  name: string;

  @JsonColumn(() => [String], 'Addresses that vendors may send browsers back to after a sign-in, to the letter.')
  oauthRedirectUris: string[] = [];

  /** In place of the default of the installation; 0: no limit. Set by the operator: see scripts/set-storage-quota.ts. */
  @Property({ type: new BigIntType('number'), nullable: true })
  storageQuotaBytes?: number;
}
