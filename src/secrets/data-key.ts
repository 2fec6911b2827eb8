import type { PolicyDef } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantTable } from '../kernel/entities/tenant-table.js';
import type { Scope } from '../kernel/reading/scoped-query.js';

/** Makes the data keys of all workspaces visible, for key rotation and for the check at startup. */
export const ROTATION_SCOPE: Scope = { setting: 'taproot.sealing_rotation', value: 'on' };

const IS_ROTATION = `current_setting('${ROTATION_SCOPE.setting}', true) = '${ROTATION_SCOPE.value}'`;
const ROTATION_POLICIES: PolicyDef[] = [
  { name: 'rotation_read', command: 'select', using: IS_ROTATION },
  { name: 'rotation_write', command: 'update', using: IS_ROTATION, check: IS_ROTATION },
];

/** If the row is deleted, the secrets of the workspace become permanently unreadable. */
@TenantTable({ policies: ROTATION_POLICIES })
@Unique({ properties: ['tenantId'] })
export class DataKey extends TenantOwned {
  @Property({ type: 'datetime', length: 3 })
  createdAt: Date = new Date();

  @Property({ type: 'text' })
  keyId: string;

  @Property({ type: 'text' })
  wrapped: string;
}
