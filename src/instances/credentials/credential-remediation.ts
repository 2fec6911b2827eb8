import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { remediationOf } from '../../sources/responses/remediation.js';
import type { ValidationStatus } from '../../sources/responses/test-outcome.js';
import type { CredentialMetadata } from '../credential-metadata.js';
import { senderMessagesOf } from './sender-verification.js';

/** Returns undefined if the credential requires no action. */
export async function readCredentialRemediation(
  read: Reader,
  credential: Lean<CredentialMetadata>,
): Promise<string | undefined> {
  if (credential.inboundAuthStrategy) return readSenderRemediation(read, credential);
  const strategy = credential.strategy && (await read.byId(ConnectorAuthStrategy, credential.strategy));
  if (!strategy) return undefined;
  return remediationOf({ status: latestStatus(credential), errorCode: credential.errorCode }, strategy.type);
}

async function readSenderRemediation(
  read: Reader,
  { inboundAuthStrategy, status }: Lean<CredentialMetadata>,
): Promise<string | undefined> {
  if (status !== 'manual_validation_required') return undefined;
  const strategy = await read.byId(InboundAuthStrategy, inboundAuthStrategy as string);
  return strategy && senderMessagesOf(strategy).remediation;
}

/** Returns `valid` even after a failed test, because the error code then determines the remediation. */
function latestStatus({ status, validatedAt }: Lean<CredentialMetadata>): ValidationStatus {
  if (status === 'manual_validation_required') return status;
  return status === 'pending' && validatedAt ? 'inconclusive' : 'valid';
}
