import type { ValidationErrorCode } from '../catalog/credential-verification.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import type { Lean, MaybePromise, Reader } from '../kernel/reading.js';
import { CredentialMetadata } from './credential-metadata.js';
import { remedyOf } from './credential-remedy.js';
import { CredentialValidation } from './credential-validation.js';
import type { TenantConnectorInstance } from './tenant-connector-instance.js';
import {
  type ConnectionFacts,
  type CredentialFacts,
  connectionStatusOf,
  type TenantConnectorStatus,
} from './tenant-connector-status.js';
import { TenantConnectorTap } from './tenant-connector-tap.js';

type Instance = Lean<TenantConnectorInstance>;

export async function readStatus(
  read: Reader,
  instance: Instance,
): Promise<{ status: TenantConnectorStatus; message: string }> {
  const [known, remedy, taps] = await Promise.all([
    readCredentialFacts(read, instance),
    readRemedy(read, instance),
    read.many(TenantConnectorTap, 'instance', instance.id),
  ]);
  const { enabled, schedulePaused, isDegraded, sync } = instance;
  return connectionStatusOf({ ...known, remedy, enabled, schedulePaused, isDegraded, taps, sync }, Date.now());
}

async function readRemedy(read: Reader, instance: Instance): Promise<string | undefined> {
  const credential = await currentCredential(read, instance);
  return credential && credential.status !== 'valid' ? remedyOf(read, credential) : undefined;
}

export async function readCredentialFacts(
  read: Reader,
  instance: Instance,
): Promise<Pick<ConnectionFacts, 'credential' | 'lacksSecrets'>> {
  const credential = await currentCredential(read, instance);
  if (credential) return { credential: credential as unknown as CredentialFacts, lacksSecrets: false };
  const inbound = await read.many(InboundAuthStrategy, 'connector', instance.connector);
  return { credential: undefined, lacksSecrets: inbound.length > 0 };
}

export function currentCredential(
  read: Reader,
  { credential }: Instance,
): MaybePromise<Lean<CredentialMetadata> | undefined> {
  return credential ? read.byId(CredentialMetadata, credential) : undefined;
}

/** Of the latest test of the current credential, which the record itself forgets where that test was inconclusive. */
export async function latestErrorCode(read: Reader, instance: Instance): Promise<ValidationErrorCode | undefined> {
  const credential = await currentCredential(read, instance);
  if (!credential?.validatedAt) return undefined;
  return (await read.latest(CredentialValidation, 'credential', credential.id, 1))[0]?.errorCode;
}

export async function liveTaps(read: Reader, { id }: Instance): Promise<Lean<TenantConnectorTap>[]> {
  const taps = await read.many(TenantConnectorTap, 'instance', id);
  return taps.filter(({ deletedAt }) => !deletedAt);
}
