import { PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Base62Id, IdColumn, newId, SYSTEM_USER_ID } from '../ids.js';
import { DateTime } from './scalars.js';

@ObjectType({ simpleResolvers: true })
export abstract class Identified {
  @Field(() => Base62Id, { description: 'Stable for the life of the object.' })
  @PrimaryKey({ type: IdColumn })
  id: string = newId();
}

/** What the service itself fills in on every audited row. */
export const AUDIT_FIELDS = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] satisfies (keyof Audited)[];

@ObjectType({ simpleResolvers: true })
export abstract class Audited extends Identified {
  @Field(() => DateTime, { description: 'When it was made.' })
  @Property({ type: 'datetime', length: 3 })
  createdAt: Date = new Date();

  @Field(() => Base62Id, {
    description: 'Who made it: a user, or the fixed system user for what the service itself makes.',
  })
  @Property({ type: IdColumn })
  createdBy: string = SYSTEM_USER_ID;

  @Field(() => DateTime, { description: 'When it last changed.' })
  @Property({ type: 'datetime', length: 3, onUpdate: () => new Date() })
  updatedAt: Date = new Date();

  @Field(() => Base62Id, { description: 'Who changed it last.' })
  @Property({ type: IdColumn })
  updatedBy: string = SYSTEM_USER_ID;
}
