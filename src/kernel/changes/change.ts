import type { EntityClass } from '@mikro-orm/core';
import { Trigger } from '@mikro-orm/decorators/legacy';
import { encodeId } from '../ids.js';

/** The channel of PostgreSQL on which triggers announce changed rows to all processes. */
export const CHANGE_CHANNEL = 'taproot_changes';

/**
 * An object that was created or changed. Holds ids only: subscribers read the object with the rights of their caller.
 */
export interface Change {
  /** Name of the entity. */
  readonly entity: string;
  readonly tenantId: string;
  readonly id: string;
  /** The object that the changed object belongs to, if the trigger names such an object. */
  readonly parentId: string | undefined;
}

interface Announcement {
  /** Name of the changed entity, if the row is part of an object of another entity. */
  readonly entity?: string;
  /** SQL expression of the id of the object. Defaults to the id of the row, `new`. Null announces nothing. */
  readonly id?: string;
  /** SQL expression of the id of the parent. */
  readonly parent?: string;
  readonly events?: ('insert' | 'update')[];
}

/**
 * Announces each inserted or updated row of a tenant table. A trigger covers every writer, and PostgreSQL sends the
 * notification when the transaction commits; a transaction that is rolled back sends none. Equal notifications of a
 * transaction are sent once.
 */
export function AnnouncesChanges({ entity, id = 'new.id', parent, events }: Announcement = {}) {
  return (target: EntityClass<object>): void => {
    const words = [`'${entity ?? target.name}'`, 'new.tenant_id', id, ...(parent ? [parent] : [])];
    Trigger({
      name: 'announce_change',
      timing: 'after',
      events: events ?? ['insert', 'update'],
      body: `perform pg_notify('${CHANGE_CHANNEL}', concat_ws(' ', ${words.join(', ')})); return null;`,
    })(target as never);
  };
}

/**
 * Parses a notification. Returns undefined for an announcement without an id, and for other strings: any role of the
 * database may send notifications.
 */
export function parseChange(payload: string): Change | undefined {
  const [entity = '', ...uuids] = payload.split(' ');
  if (uuids.length < 2 || !uuids.every((uuid) => UUID.test(uuid))) return undefined;
  const [tenantId = '', id = '', parentId] = uuids.map(encodeId);
  return { entity, tenantId, id, parentId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
