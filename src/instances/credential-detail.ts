import { ArgsType, Field } from 'type-graphql';
import { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { ValidationErrorCode } from '../catalog/credential-verification.js';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { AppError } from '../kernel/errors.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { DateTime } from '../kernel/scalars.js';
import type { ValidationStatus } from '../sources/finding.js';
import { remediationOf } from '../sources/remediation.js';
import { CredentialMetadata } from './credential-metadata.js';
import { CredentialStatus } from './credential-status.js';
import { findInstance } from './existing-instance.js';
import { senderRemediation } from './sender-proof.js';

@ArgsType()
export class CredentialDetailArgs {
  @Field(() => Base62Id, { nullable: true, description: 'The credential record; either this or `instanceId`.' })
  credentialMetadataId?: string | null;

  @Field(() => Base62Id, { nullable: true, description: 'The connection whose current record is meant.' })
  instanceId?: string | null;
}

@Shape('What is known of a credential, and what to do about it.')
export class CredentialDetail {
  @Required('The credential record.', () => Base62Id)
  credentialMetadataId: string;

  @Required('The connection.', () => Base62Id)
  instanceId: string;

  @Field(() => CredentialStatus, { description: 'What is known of it.' })
  status: CredentialStatus;

  @Optional('Why it did not pass the latest test that could tell.', () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @Optional('What is known of it, in a sentence.')
  message?: string;

  @Optional('What to do next, where something is wrong.')
  remediation?: string;

  @Optional('When it was tested last.', () => DateTime)
  validatedAt?: Date;

  @Optional('When it ends by itself.', () => DateTime)
  expiresAt?: Date;

  @Optional('Scopes that the source granted, where it says.', () => [String])
  grantedScopes?: string[];

  @Optional('Scopes that were asked for and not granted.', () => [String])
  missingScopes?: string[];
}

export async function readCredentialDetail(
  read: Reader,
  args: CredentialDetailArgs,
): Promise<CredentialDetail | undefined> {
  const credential = await findCredential(read, args);
  if (!credential) return undefined;
  const strategy = credential.strategy && (await read.byId(ConnectorAuthStrategy, credential.strategy));
  const { id, instance, errorCode } = credential;
  const remediation = strategy
    ? remediationOf({ status: latestStatus(credential), errorCode }, strategy.type)
    : senderRemediation(credential);
  return { ...credential, credentialMetadataId: id, instanceId: instance, remediation } as unknown as CredentialDetail;
}

/** What the latest test found, as far as it asks something of somebody beside its error code. */
function latestStatus({ status, validatedAt }: Lean<CredentialMetadata>): ValidationStatus {
  if (status === 'manual_validation_required') return status;
  return status === 'pending' && validatedAt ? 'inconclusive' : 'valid';
}

/** Of a connection that was deleted there is nothing to tell. */
async function findCredential(
  read: Reader,
  { credentialMetadataId, instanceId }: CredentialDetailArgs,
): Promise<Lean<CredentialMetadata> | undefined> {
  if (Boolean(credentialMetadataId) === Boolean(instanceId))
    throw new AppError('BAD_REQUEST', 'Either credentialMetadataId or instanceId is needed.');
  const id = credentialMetadataId ?? (await findInstance(read, instanceId as string))?.credential;
  const credential = id ? await read.byId(CredentialMetadata, id) : undefined;
  return credential && (await findInstance(read, credential.instance)) ? credential : undefined;
}
