import { PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Base62Id, IdColumn, newId, SYSTEM_USER_ID } from '../ids.js';
import { DateTime } from './scalars.js';

@ObjectType({ simpleResolvers: true })
export abstract class Identified {
  @Field(() => Base62Id, { description: 'Id. The id never changes.' })
  @PrimaryKey({ type: IdColumn })
  id: string = newId();
}

export const AUDIT_FIELDS = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] satisfies (keyof Audited)[];

@ObjectType({ simpleResolvers: true })
export abstract class Audited extends Identified {
  @Field(() => DateTime, { description: 'Time of creation.' })
  @Property({ type: 'datetime', length: 3 })
  createdAt: Date = new Date();

  @Field(() => Base62Id, {
    description:
      'Id of the user who created the object, directly or with an API key of this user. For an object that the service created, the id of the fixed system user.',
  })
  @Property({ type: IdColumn })
  createdBy: string = SYSTEM_USER_ID;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  @Property({ type: 'datetime', length: 3, onUpdate: () => new Date() })
  updatedAt: Date = new Date();

  @Field(() => Base62Id, {
    description:
      'Id of the user who made the last change, directly or with an API key of this user. For a change by the service, the id of the fixed system user.',
  })
  @Property({ type: IdColumn })
  updatedBy: string = SYSTEM_USER_ID;
}
