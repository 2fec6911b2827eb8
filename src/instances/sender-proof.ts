import { LockMode, type Ref, ref } from '@mikro-orm/core';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';
import { CredentialGone } from './credential-gone.js';
import { CredentialMetadata } from './credential-metadata.js';
import { isRetired } from './credential-status.js';
import { CredentialValidation, type ValidationTrigger } from './credential-validation.js';

interface Words {
  /** What is known before the first delivery. */
  readonly awaits: string;
  readonly proven: string;
  readonly remedy: string;
}

const VERIFIED: Words = {
  awaits: 'It cannot be tested from here: the first delivery that is verified with it makes it valid.',
  proven: 'A delivery was verified with it.',
  remedy:
    'Enter the same secret at the sender, have it send to an ingest address of a tap of this connection, and cause a delivery there.',
};

const UNVERIFIED: Words = {
  awaits:
    'The strategy does not verify senders: the ingest token alone authorizes deliveries. The first delivery makes the connection valid.',
  proven: 'A delivery arrived. The strategy does not verify senders: the ingest token alone authorizes deliveries.',
  remedy: 'Have the sender send to an ingest address of a tap of this connection, and cause a delivery there.',
};

export function senderWords({ verificationType }: Pick<InboundAuthStrategy, 'verificationType'>): Words {
  return verificationType === 'none' ? UNVERIFIED : VERIFIED;
}

/** After a delivery that was verified with a credential: the first one makes it valid, and later ones change nothing. */
export async function markVerified(tx: WorkspaceTransaction, credentialId: string): Promise<void> {
  const credential = await lockCredential(tx, credentialId);
  if (credential?.status !== 'manual_validation_required' || !credential.inboundAuthStrategy) return;
  const words = await wordsOf(tx, credential);
  const { validatedAt } = createEntry(tx, credential, 'delivered', { status: 'valid', words });
  tx.record('credential.tested', credential, { from: credential.status, to: 'valid' });
  tx.change(credential, { status: 'valid', message: words.proven, validatedAt });
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
  return createEntry(tx, credential, trigger, { status, words: await wordsOf(tx, credential) }).id;
}

async function wordsOf({ em }: WorkspaceTransaction, { inboundAuthStrategy }: CredentialMetadata): Promise<Words> {
  return senderWords(await em.findOneOrFail(InboundAuthStrategy, (inboundAuthStrategy as Ref<InboundAuthStrategy>).id));
}

function lockCredential({ em }: WorkspaceTransaction, id: string): Promise<CredentialMetadata | null> {
  return em.findOne(CredentialMetadata, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

function createEntry(
  tx: WorkspaceTransaction,
  credential: CredentialMetadata,
  trigger: ValidationTrigger,
  { status, words }: { status: 'valid' | 'manual_validation_required'; words: Words },
): CredentialValidation {
  const isValid = status === 'valid';
  return tx.create(CredentialValidation, {
    ...{ credential: ref(credential), trigger, status, message: isValid ? words.proven : words.awaits },
    details: isValid ? {} : { remediation: words.remedy },
  });
}
