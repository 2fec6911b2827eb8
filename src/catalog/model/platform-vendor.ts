import { Collection } from '@mikro-orm/core';
import { Entity, OneToMany } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { Identified } from '../../kernel/entities/audited.js';
import { IntColumn, JsonColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { PlatformVendorGrouping } from './platform-vendor-grouping.js';

@PlainObjectType('A company or product whose data a workspace can connect.')
@Entity({ orderBy: { sortOrder: 'asc', name: 'asc', id: 'asc' } })
export class PlatformVendor extends Identified {
  @TextColumn('Name for people.')
  name: string;

  @TextColumn('URL-friendly name, unique.', { unique: true })
  slug: string;

  @TextColumn('What the vendor does.', { nullable: true })
  description?: string;

  @IntColumn('Place in the list of vendors, ascending; equal places are ordered by name.')
  sortOrder: number;

  @JsonColumn(() => JsonObject, 'The logo: `url`, and `alt` for those who cannot see it.', { nullable: true })
  logo?: Record<string, unknown>;

  @Field(() => [PlatformVendorGrouping], {
    description: 'The groupings at the top of the tree; the others stand under them.',
  })
  @OneToMany(
    () => PlatformVendorGrouping,
    (grouping) => grouping.vendor,
  )
  groupings = new Collection<PlatformVendorGrouping>(this);
}
