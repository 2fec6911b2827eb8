import type { Ref } from '@mikro-orm/core';
import { ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Audited } from '../../kernel/entities/audited.js';
import { ExactJsonColumn } from '../../kernel/entities/column-decorators.js';
import { Access } from '../../tenancy/access.js';
import { OfCatalog } from '../of-catalog.js';
import { Connector } from './connector.js';
import { DefinitionSource, SOURCES_DESCRIPTION, UNVERIFIED_DESCRIPTION } from './definition-source.js';

/** A strategy or tap of one connector. `position` is its index in the definition's list of strategies or taps. */
@ObjectType({ simpleResolvers: true })
export abstract class ConnectorPart extends Audited {
  @OfCatalog()
  @Access('connectors:read')
  @Field(() => Connector, { description: 'Connector to which this object belongs.' })
  @ManyToOne(() => Connector, { ref: true, deleteRule: 'cascade' })
  connector: Ref<Connector>;

  @Property({ type: 'integer' })
  position: number;

  @ExactJsonColumn(() => [DefinitionSource], SOURCES_DESCRIPTION, { nullable: true })
  sources?: DefinitionSource[];

  @ExactJsonColumn(() => [String], UNVERIFIED_DESCRIPTION, { nullable: true })
  unverified?: string[];
}
