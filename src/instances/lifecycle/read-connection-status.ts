import type { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import type { Lean, MaybePromise, Reader } from '../../kernel/reading/reader.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { CredentialValidation } from '../credential-validation.js';
import { readCredentialRemediation } from '../credentials/credential-remediation.js';
import type { TenantConnectorInstance } from '../tenant-connector-instance.js';
import {
  type ConnectionState,
  type CredentialState,
  connectionStatusOf,
  type TenantConnectorStatus,
} from '../tenant-connector-status.js';
import { TenantConnectorTap } from '../tenant-connector-tap.js';

type Instance = Lean<TenantConnectorInstance>;

export async function readConnectionStatus(
  read: Reader,
  instance: Instance,
): Promise<{ status: TenantConnectorStatus; message: string }> {
  const [credentialState, remediation, latestTestErrorCode, taps] = await Promise.all([
    readCredentialState(read, instance),
    readRemediation(read, instance),
    readTestErrorCode(read, instance),
    read.many(TenantConnectorTap, 'instance', instance.id),
  ]);
  const { enabled, schedulePaused, isDegraded, sync } = instance;
  return connectionStatusOf(
    { ...credentialState, remediation, latestTestErrorCode, enabled, schedulePaused, isDegraded, taps, sync },
    Date.now(),
  );
}

/** Returns undefined for a rejected credential, because a later inconclusive test must not hide the rejection. */
async function readTestErrorCode(read: Reader, instance: Instance): Promise<ValidationErrorCode | undefined> {
  const credential = await readCurrentCredential(read, instance);
  const isRejected = credential?.status === 'invalid' || credential?.status === 'expired';
  return isRejected ? undefined : readLatestErrorCode(read, instance);
}

async function readRemediation(read: Reader, instance: Instance): Promise<string | undefined> {
  const credential = await readCurrentCredential(read, instance);
  return credential && credential.status !== 'valid' ? readCredentialRemediation(read, credential) : undefined;
}

export async function readCredentialState(
  read: Reader,
  instance: Instance,
): Promise<Pick<ConnectionState, 'credential' | 'lacksSecrets'>> {
  const credential = await readCurrentCredential(read, instance);
  if (credential) return { credential: credential as unknown as CredentialState, lacksSecrets: false };
  const inbound = await read.many(InboundAuthStrategy, 'connector', instance.connector);
  return { credential: undefined, lacksSecrets: inbound.length > 0 };
}

export function readCurrentCredential(
  read: Reader,
  { credential }: Instance,
): MaybePromise<Lean<CredentialMetadata> | undefined> {
  return credential ? read.byId(CredentialMetadata, credential) : undefined;
}

/** Reads the history, because the credential record does not contain the error code of an inconclusive test. */
export async function readLatestErrorCode(read: Reader, instance: Instance): Promise<ValidationErrorCode | undefined> {
  const credential = await readCurrentCredential(read, instance);
  if (!credential?.validatedAt) return undefined;
  return (await read.latest(CredentialValidation, 'credential', credential.id, 1))[0]?.errorCode;
}
