import type { Ref } from '@mikro-orm/core';
import { Index, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Role } from './role.js';
import { User } from './user.js';

@TenantTable()
@Unique({ properties: ['tenantId', 'user', 'role'] })
@Index({ properties: ['role'] })
export class UserRole extends TenantOwned {
  @TenantRelation(() => User, 'user_id', { deleteRule: 'cascade' })
  user: Ref<User>;

  @TenantRelation(() => Role, 'role_id')
  role: Ref<Role>;
}
