import { AppError } from '../errors.js';
import type { Change } from './change.js';
import { ChangeListener, type ChangeListenerOptions } from './change-listener.js';
import { ChangeSubscription } from './change-subscription.js';

export class ChangeFeed {
  readonly #subscriptions = new Map<string, Set<ChangeSubscription>>();
  readonly #listener: ChangeListener;

  constructor(options: ChangeListenerOptions) {
    this.#listener = new ChangeListener(options, {
      onChange: (change) => this.#publish(change),
      onLost: () => this.#failAll(lostChangesError()),
    });
  }

  /**
   * Delivers every change that commits after the promise resolves. If the service may have missed changes, the
   * subscription fails with UNAVAILABLE. Throws UNAVAILABLE while PostgreSQL cannot notify this process.
   */
  async subscribe(tenantId: string, entity: string): Promise<ChangeSubscription> {
    await this.#listener.ready();
    const subscription = new ChangeSubscription(entity, slowClientError);
    const ofTenant = this.#subscriptions.get(tenantId);
    if (ofTenant) ofTenant.add(subscription);
    else this.#subscriptions.set(tenantId, new Set([subscription]));
    return subscription;
  }

  unsubscribe(tenantId: string, subscription: ChangeSubscription): void {
    const ofTenant = this.#subscriptions.get(tenantId);
    ofTenant?.delete(subscription);
    if (ofTenant?.size === 0) this.#subscriptions.delete(tenantId);
  }

  /** Ends all subscriptions with UNAVAILABLE. */
  async close(): Promise<void> {
    this.#failAll(new AppError('UNAVAILABLE', 'The service is stopping. Subscribe again.'));
    await this.#listener.stop();
  }

  #publish(change: Change): void {
    for (const subscription of this.#subscriptions.get(change.tenantId) ?? [])
      if (subscription.entity === change.entity) subscription.push(change);
  }

  #failAll(error: AppError): void {
    for (const ofTenant of this.#subscriptions.values()) for (const subscription of ofTenant) subscription.fail(error);
  }
}

function lostChangesError(): AppError {
  return new AppError('UNAVAILABLE', 'Some changes may be missing. Subscribe again, then repeat the query.');
}

function slowClientError(): AppError {
  return new AppError('UNAVAILABLE', 'The client reads too slowly. Subscribe again, then repeat the query.');
}
