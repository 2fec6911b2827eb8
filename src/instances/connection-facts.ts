import type { Lean, MaybePromise, Reader } from '../kernel/reading.js';
import { CredentialMetadata } from './credential-metadata.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';
import { type ConnectionFacts, connectionStatusOf, type TenantConnectorStatus } from './tenant-connector-status.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

type Instance = Lean<TenantConnectorInstance>;

export async function readStatus(
  read: Reader,
  instance: Instance,
): Promise<{ status: TenantConnectorStatus; message: string }> {
  const [credential, taps] = await Promise.all([currentCredential(read, instance), liveTaps(read, instance)]);
  const { enabled, schedulePaused, sync } = instance;
  return connectionStatusOf({ enabled, schedulePaused, credential, taps, sync } as ConnectionFacts, Date.now());
}

export function currentCredential(
  read: Reader,
  { credential }: Instance,
): MaybePromise<Lean<CredentialMetadata> | undefined> {
  return credential ? read.byId(CredentialMetadata, credential) : undefined;
}

export async function liveTaps(read: Reader, { id }: Instance): Promise<Lean<TenantConnectorTap>[]> {
  const taps = await read.many(TenantConnectorTap, 'instance', id);
  return taps.filter(({ deletedAt }) => !deletedAt);
}
