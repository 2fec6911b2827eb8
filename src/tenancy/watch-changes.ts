import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityClass } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Change } from '../kernel/changes/change.js';
import type { ChangeFeed } from '../kernel/changes/change-feed.js';
import { requireFieldAccess } from './access.js';
import type { WorkspaceContext } from './workspace-context.js';

export interface LiveContext extends WorkspaceContext {
  readonly changes: ChangeFeed;
  /** Aborted when the client has disconnected. */
  readonly closed: AbortSignal;
  /** Authenticates the caller again, and returns the context for the next event, with an empty reader. */
  renew(): Promise<LiveContext>;
}

interface Subscribed<Args> {
  readonly args: Args;
  readonly context: LiveContext;
  readonly info: GraphQLResolveInfo;
}

export interface ChangeEvent {
  readonly change: Change;
  readonly context: LiveContext;
}

/** Within this time, the service reads an object once even if the object changes several times. */
const COALESCE_MS = 200;

/** Interval at which a subscription without events authenticates its caller again. */
export const RENEW_INTERVAL_MS = 30_000;

interface Filter<Args> {
  readonly matches?: (change: Change, args: Args) => boolean;
  /** Like `matches`, but can read rows. `context` is the renewed context of the caller. */
  readonly concerns?: (change: Change, args: Args, context: LiveContext) => Promise<boolean>;
}

/**
 * The subscription sends the changes of an entity in the caller's workspace that match the arguments. Before each
 * event, and after each `renewIntervalMs` without a change, the subscription authenticates the caller again and checks
 * the access rule of the field. If one of these checks fails, the subscription fails with the same error. The
 * subscription starts before the promise resolves, and fails with UNAVAILABLE if changes may be missing.
 */
export function watchChanges<Args>(
  entity: EntityClass<object>,
  { matches = () => true, concerns = async () => true }: Filter<Args> = {},
  renewIntervalMs = RENEW_INTERVAL_MS,
) {
  return async ({ args, context, info }: Subscribed<Args>): Promise<AsyncGenerator<ChangeEvent>> => {
    const { changes, closed, caller } = context;
    const field = info.parentType.getFields()[info.fieldName] as { extensions: object };
    const renew = async (): Promise<LiveContext> => {
      const renewed = await context.renew();
      requireFieldAccess(renewed, field);
      return renewed;
    };
    const subscription = await changes.subscribe(caller.tenantId, entity.name);
    closed.addEventListener('abort', () => changes.unsubscribe(caller.tenantId, subscription), { once: true });
    return (async function* () {
      while (!closed.aborted) {
        const isQuiet = !(await subscription.wait(renewIntervalMs, closed));
        if (isQuiet) await renew();
        else await sleep(COALESCE_MS);
        for (let change = subscription.take(); change && !closed.aborted; change = subscription.take()) {
          if (!matches(change, args)) continue;
          const renewed = await renew();
          if (await concerns(change, args, renewed)) yield { change, context: renewed };
        }
      }
    })();
  };
}

/** Selects all changes if the client omits the argument. */
export function isOfParent<Name extends string>(name: Name) {
  return ({ parentId }: Change, { [name]: wanted }: { readonly [Key in Name]?: string | null }): boolean =>
    !wanted || wanted === parentId;
}
