import { describe, expect, it } from 'vitest';
import { ChangeSubscription } from '../../../src/kernel/changes/change-subscription.js';
import { AppError } from '../../../src/kernel/errors.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Caller } from '../../../src/tenancy/caller.js';
import { type LiveContext, watchChanges } from '../../../src/tenancy/watch-changes.js';

class Thing {}

async function watch(renewed: () => Partial<LiveContext>, renewIntervalMs = 60_000) {
  const subscription = new ChangeSubscription('Thing', () => new AppError('UNAVAILABLE', 'too slow'));
  const closed = new AbortController();
  let unsubscribed = 0;
  const context = {
    caller: callerWith('connectors:read'),
    changes: { subscribe: async () => subscription, unsubscribe: () => unsubscribed++ },
    closed: closed.signal,
    renew: async () => renewed(),
  };
  const fields = { thingChanged: { extensions: { access: 'connectors:read' } } };
  const info = { fieldName: 'thingChanged', parentType: { getFields: () => fields } };
  const subscribe = watchChanges<object>(Thing, {}, renewIntervalMs);
  const events = await subscribe({ args: {}, context, info } as never);
  const announce = (id = newId()): void =>
    subscription.push({ entity: 'Thing', tenantId: '', id, parentId: undefined });
  return { events, announce, close: () => closed.abort(), unsubscribed: () => unsubscribed };
}

function callerWith(...grants: string[]): Caller {
  return { kind: 'user', id: 'u', userId: 'u', tenantId: 't', grants: new Set(grants) };
}

const allowed = (): Partial<LiveContext> => ({ caller: callerWith('connectors:read') });
const denied = (): Partial<LiveContext> => ({ caller: callerWith('catalog:read') });

describe('watchChanges', () => {
  it('checks the access rule again before each event', async () => {
    let state = allowed;
    const { events, announce } = await watch(() => state());
    announce('first');
    expect(await events.next()).toMatchObject({ value: { change: { id: 'first' } } });
    state = denied;
    announce('second');
    await expect(events.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('ends a quiet subscription whose caller lost access, or whose token expired', async () => {
    const lost = await watch(denied, 5);
    await expect(lost.events.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const expired = await watch(() => {
      throw new AppError('UNAUTHENTICATED', 'The bearer token is not valid.');
    }, 5);
    await expect(expired.events.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('unsubscribes when the client disconnects', async () => {
    const { events, close, unsubscribed } = await watch(allowed);
    const next = events.next();
    close();
    expect(await next).toMatchObject({ done: true });
    expect(unsubscribed()).toBe(1);
  });
});
