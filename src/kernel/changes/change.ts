import type { EntityClass } from '@mikro-orm/core';
import { Trigger } from '@mikro-orm/decorators/legacy';
import { encodeId } from '../ids.js';

/** Triggers announce changed rows to all processes on this PostgreSQL channel. */
export const CHANGE_CHANNEL = 'taproot_changes';

/**
 * A created or changed object. Contains only ids, so each subscriber reads the object with the permissions of its own
 * client.
 */
export interface Change {
  readonly entity: string;
  readonly tenantId: string;
  readonly id: string;
  /** Id of the object that contains the changed object. Undefined without `Announcement.parent`. */
  readonly parentId: string | undefined;
}

interface Announcement {
  /**
   * Entity of the changed object. Defaults to the entity of the row. Set if the row is a part of another entity's
   * object.
   */
  readonly entity?: string;
  /** SQL expression of the object's id. Defaults to `new.id`. If the id is null, subscribers receive nothing. */
  readonly id?: string;
  /** SQL expression of `Change.parentId`. */
  readonly parent?: string;
  readonly events?: ('insert' | 'update')[];
}

/**
 * Announces each inserted or updated row of a tenant table, even if another program writes it. PostgreSQL sends the
 * notification when the transaction commits, and sends equal notifications of one transaction once.
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
 * Returns undefined for an announcement without an id, and for a notification in another format. Any role of the
 * database may send such a notification.
 */
export function parseChange(payload: string): Change | undefined {
  const [entity = '', ...uuids] = payload.split(' ');
  if (uuids.length < 2 || !uuids.every((uuid) => UUID.test(uuid))) return undefined;
  const [tenantId = '', id = '', parentId] = uuids.map(encodeId);
  return { entity, tenantId, id, parentId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
