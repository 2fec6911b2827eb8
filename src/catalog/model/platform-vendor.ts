import { Collection } from '@mikro-orm/core';
import { Entity, Index, OneToMany } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import { Identified } from '../../kernel/entities/audited.js';
import { IntColumn, JsonColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import type { EdgePlan } from '../../kernel/reading/edge-plan.js';
import { OfCatalog } from '../of-catalog.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

@PlainObjectType('A company or product whose data a workspace can connect.')
@Entity({ orderBy: { sortOrder: 'asc', name: 'asc', id: 'asc' } })
@Index({ properties: ['sortOrder', 'name', 'id'] })
@Listed({ filters: ['name'], orders: ['name', 'sortOrder'] })
export class PlatformVendor extends Identified {
  @TextColumn('Display name.')
  name: string;

  @TextColumn('URL-friendly name, unique.', { unique: true })
  slug: string;

  @TextColumn('Description of the vendor.', { nullable: true })
  description?: string;

  @IntColumn('Sort position in the list of vendors, ascending. Items with the same position are ordered by name.')
  sortOrder: number;

  @JsonColumn(() => JsonObject, 'Logo: `url`, absolute or relative to the service, and the alternative text `alt`.', {
    nullable: true,
  })
  logo?: Record<string, unknown>;

  @OfCatalog()
  @Extensions({
    plan: {
      ...{ kind: 'branch', of: () => PlatformVendorGrouping, by: 'vendor', part: 'parent' },
      ...{ owner: 'id', parent: null },
    } satisfies EdgePlan,
  })
  @Field(() => [PlatformVendorGrouping], {
    description: 'Top-level groupings. The other groupings are nested in them.',
  })
  @OneToMany(
    () => PlatformVendorGrouping,
    (grouping) => grouping.vendor,
  )
  groupings = new Collection<PlatformVendorGrouping>(this);
}
