import { LockMode, type Ref, ref } from '@mikro-orm/core';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { isRetired } from '../credential-status.js';
import { CredentialValidation, type ValidationTrigger } from '../credential-validation.js';
import { InactiveCredentialError } from './inactive-credential-error.js';

interface SenderMessages {
  readonly pending: string;
  readonly verified: string;
  readonly remediation: string;
}

const VERIFIED_SENDER_MESSAGES: SenderMessages = {
  pending:
    'The service cannot test this credential. The credential becomes valid when the first delivery is verified with it.',
  verified: 'A delivery was verified with the credential.',
  remediation:
    "Configure the sender with the secret of the connection and with the ingest URL of one of the connection's taps. Then trigger a delivery.",
};

const UNVERIFIED_SENDER_MESSAGES: SenderMessages = {
  pending:
    'The strategy does not verify senders: the ingest token alone authorizes deliveries. The first delivery makes the credential valid.',
  verified: 'A delivery arrived. The strategy does not verify senders: the ingest token alone authorizes deliveries.',
  remediation: "Configure the sender with the ingest URL of one of the connection's taps. Then trigger a delivery.",
};

export function senderMessagesOf({ verificationType }: Pick<InboundAuthStrategy, 'verificationType'>): SenderMessages {
  return verificationType === 'none' ? UNVERIFIED_SENDER_MESSAGES : VERIFIED_SENDER_MESSAGES;
}

/** Marks the credential as valid after its first accepted delivery. */
export async function markSenderVerified(tx: WorkspaceTransaction, credentialId: string): Promise<void> {
  const credential = await lockCredential(tx, credentialId);
  if (credential?.status !== 'manual_validation_required' || !credential.inboundAuthStrategy) return;
  const messages = await readSenderMessages(tx, credential);
  const { validatedAt } = createEntry(tx, credential, 'delivered', { status: 'valid', messages });
  tx.recordAudit('credential.tested', credential, { from: credential.status, to: 'valid' });
  tx.update(credential, { status: 'valid', message: messages.verified, validatedAt });
}

/** Returns the id of the test result. Throws `InactiveCredentialError`. */
export async function recordSenderStatus(
  tx: WorkspaceTransaction,
  credentialId: string,
  trigger: ValidationTrigger,
): Promise<string> {
  const credential = await lockCredential(tx, credentialId);
  if (!credential || credential.status === 'revoked') throw new InactiveCredentialError('unknown');
  if (isRetired(credential)) throw new InactiveCredentialError('superseded');
  const status = credential.status === 'valid' ? 'valid' : 'manual_validation_required';
  return createEntry(tx, credential, trigger, { status, messages: await readSenderMessages(tx, credential) }).id;
}

async function readSenderMessages(
  { em }: WorkspaceTransaction,
  { inboundAuthStrategy }: CredentialMetadata,
): Promise<SenderMessages> {
  return senderMessagesOf(
    await em.findOneOrFail(InboundAuthStrategy, (inboundAuthStrategy as Ref<InboundAuthStrategy>).id),
  );
}

function lockCredential({ em }: WorkspaceTransaction, id: string): Promise<CredentialMetadata | null> {
  return em.findOne(CredentialMetadata, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

function createEntry(
  tx: WorkspaceTransaction,
  credential: CredentialMetadata,
  trigger: ValidationTrigger,
  { status, messages }: { status: 'valid' | 'manual_validation_required'; messages: SenderMessages },
): CredentialValidation {
  const isValid = status === 'valid';
  return tx.create(CredentialValidation, {
    ...{ credential: ref(credential), trigger, status, message: isValid ? messages.verified : messages.pending },
    details: isValid ? {} : { remediation: messages.remediation },
  });
}
