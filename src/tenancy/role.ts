import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from './access.js';
import type { BuiltInRole, Grant } from './permissions.js';

@PlainObjectType('Named set of permissions, assigned to users of the workspace.')
@TenantTable({ orderBy: { createdAt: 'asc', name: 'asc' } })
@Unique({ properties: ['tenantId', 'name'] })
@Index({ properties: ['parentRole'] })
@Listed({ filters: ['name'], orders: ['name', 'createdAt'] })
export class Role extends TenantAudited {
  @TextColumn('Name, unique in the workspace. `owner`, `admin`, `editor`, `operator` and `viewer` are built in.')
  name: string;

  @TextColumn('Purpose of the role. Null if not given.', { nullable: true })
  description?: string;

  /** The service ignores the stored description and permissions of a built-in role, and uses `BUILT_IN_ROLES`. */
  @Property({ type: 'text', nullable: true })
  builtIn?: BuiltInRole;

  @Field(() => [String], {
    description:
      'Granted permissions: `resource:action`, `resource:*` or `*`. Permissions inherited from the parent role are not listed.',
  })
  @Property({ type: 'json', columnType: 'json' })
  permissions: Grant[] = [];

  @Access('workspace')
  @Field(() => Role, {
    description: 'Parent role, whose permissions this role inherits. Null without a parent role.',
    nullable: true,
  })
  @TenantRelation(() => Role, 'parent_role_id', { nullable: true })
  parentRole?: Ref<Role>;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the parent role, whose permissions this role inherits. Null without a parent role.',
  })
  parentRoleId?: string;
}
