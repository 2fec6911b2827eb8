import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { InboundAuthStrategy } from '../catalog/inbound-auth-strategy.js';
import type { Lean, Reader } from '../kernel/reading.js';
import type { ValidationStatus } from '../sources/finding.js';
import { remediationOf } from '../sources/remediation.js';
import type { CredentialMetadata } from './credential-metadata.js';
import { senderWords } from './sender-proof.js';

/** What to do next about a credential; undefined where nothing is wrong. */
export async function remedyOf(read: Reader, credential: Lean<CredentialMetadata>): Promise<string | undefined> {
  if (credential.inboundAuthStrategy) return senderRemedy(read, credential);
  const strategy = credential.strategy && (await read.byId(ConnectorAuthStrategy, credential.strategy));
  if (!strategy) return undefined;
  return remediationOf({ status: latestStatus(credential), errorCode: credential.errorCode }, strategy.type);
}

async function senderRemedy(
  read: Reader,
  { inboundAuthStrategy, status }: Lean<CredentialMetadata>,
): Promise<string | undefined> {
  if (status !== 'manual_validation_required') return undefined;
  const strategy = await read.byId(InboundAuthStrategy, inboundAuthStrategy as string);
  return strategy && senderWords(strategy).remedy;
}

/** What the latest test found, as far as it asks something of somebody beside its error code. */
function latestStatus({ status, validatedAt }: Lean<CredentialMetadata>): ValidationStatus {
  if (status === 'manual_validation_required') return status;
  return status === 'pending' && validatedAt ? 'inconclusive' : 'valid';
}
