import type { PolicyDef } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Scope } from '../kernel/scoped-query.js';
import { TenantOwned, TenantTable } from '../kernel/tenant-table.js';

/** The setting under which the data keys of all workspaces can be reached: for their rotation, and for the start to see whether there are any. */
export const ROTATION: Scope = { setting: 'taproot.sealing_rotation', value: 'on' };

const IS_ROTATION = `current_setting('${ROTATION.setting}', true) = '${ROTATION.value}'`;
const ROTATION_POLICIES: PolicyDef[] = [
  { name: 'rotation_read', command: 'select', using: IS_ROTATION },
  { name: 'rotation_write', command: 'update', using: IS_ROTATION, check: IS_ROTATION },
];

/** The key that seals the secrets of a workspace. Without its row they can never be opened again. */
@TenantTable({ policies: ROTATION_POLICIES })
@Unique({ properties: ['tenantId'] })
export class DataKey extends TenantOwned {
  @Property({ type: 'datetime', length: 3 })
  createdAt: Date = new Date();

  /** Which key of the ring wraps it. */
  @Property({ type: 'text' })
  keyId: string;

  @Property({ type: 'text' })
  wrapped: string;
}
