import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import type { BuiltInRole, Grant } from './permissions.js';

@PlainObjectType('What its holders may do in the workspace.')
@TenantTable({ orderBy: { createdAt: 'asc', name: 'asc' } })
@Unique({ properties: ['tenantId', 'name'] })
@Index({ properties: ['parentRole'] })
export class Role extends TenantAudited {
  @TextColumn('Unique in the workspace. `owner`, `admin`, `editor`, `operator` and `viewer` are built in.')
  name: string;

  @TextColumn('What it is for.', { nullable: true })
  description?: string;

  /** Names the built-in role that this is; description and permissions are those of the release that runs. */
  @Property({ type: 'text', nullable: true })
  builtIn?: BuiltInRole;

  @Field(() => [String], {
    description:
      'What it allows: `resource:action`, `resource:*` or `*`. Those of the parent role are allowed as well, and are not listed here.',
  })
  @Property({ type: 'json', columnType: 'json' })
  permissions: Grant[] = [];

  @TenantRelation(() => Role, 'parent_role_id', { nullable: true })
  parentRole?: Ref<Role>;

  @Field(() => Base62Id, { nullable: true, description: 'Role whose permissions this one has too.' })
  parentRoleId?: string;
}
