import { LockMode, ref } from '@mikro-orm/core';
import type { Lean } from '../kernel/reading.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { CredentialGone } from './credential-gone.js';
import { CredentialMetadata } from './credential-metadata.js';
import { isRetired } from './credential-status.js';
import { CredentialValidation, type ValidationTrigger } from './credential-validation.js';

/** What is known of a credential that senders are verified with, before the first of them was. */
export const AWAITS_DELIVERY =
  'It cannot be tested from here: the first delivery that is verified with it makes it valid.';

const VERIFIED = 'A delivery was verified with it.';

const SET_UP_SENDER =
  'Enter the same secret at the sender, have it send to an ingest address of a tap of this connection, and cause a delivery there.';

/** After a delivery that was verified with a credential: the first one makes it valid, and later ones change nothing. */
export async function markVerified(tx: WorkspaceTransaction, credentialId: string): Promise<void> {
  const credential = await lockCredential(tx, credentialId);
  if (credential?.status !== 'manual_validation_required' || !credential.inboundAuthStrategy) return;
  const { validatedAt } = createEntry(tx, credential, 'delivered', 'valid');
  tx.record('credential.tested', credential, { from: credential.status, to: 'valid' });
  tx.change(credential, { status: 'valid', message: VERIFIED, validatedAt });
}

/** What a test finds that somebody asks for: whether a delivery has come yet. Returns the id of the entry. Throws `CredentialGone`. */
export async function recordSenderState(
  tx: WorkspaceTransaction,
  credentialId: string,
  trigger: ValidationTrigger,
): Promise<string> {
  const credential = await lockCredential(tx, credentialId);
  if (!credential || credential.status === 'revoked') throw new CredentialGone('unknown');
  if (isRetired(credential)) throw new CredentialGone('superseded');
  const status = credential.status === 'valid' ? 'valid' : 'manual_validation_required';
  return createEntry(tx, credential, trigger, status).id;
}

/** What to do next about a credential that senders are verified with; undefined where all is well. */
export function senderRemediation({
  inboundAuthStrategy,
  status,
}: Pick<Lean<CredentialMetadata>, 'inboundAuthStrategy' | 'status'>): string | undefined {
  return inboundAuthStrategy && status === 'manual_validation_required' ? SET_UP_SENDER : undefined;
}

function lockCredential({ em }: WorkspaceTransaction, id: string): Promise<CredentialMetadata | null> {
  return em.findOne(CredentialMetadata, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

function createEntry(
  tx: WorkspaceTransaction,
  credential: CredentialMetadata,
  trigger: ValidationTrigger,
  status: 'valid' | 'manual_validation_required',
): CredentialValidation {
  const isValid = status === 'valid';
  return tx.create(CredentialValidation, {
    ...{ credential: ref(credential), trigger, status, message: isValid ? VERIFIED : AWAITS_DELIVERY },
    details: isValid ? {} : { remediation: SET_UP_SENDER },
  });
}
