import { ArgsType, Field } from 'type-graphql';
import { ValidationErrorCode } from '../catalog/credential-verification.js';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { AppError } from '../kernel/errors.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { DateTime } from '../kernel/scalars.js';
import { CredentialMetadata } from './credential-metadata.js';
import { remedyOf } from './credential-remedy.js';
import { CredentialStatus } from './credential-status.js';
import { findInstance } from './existing-instance.js';

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
  const { id, instance } = credential;
  const remediation = await remedyOf(read, credential);
  return { ...credential, credentialMetadataId: id, instanceId: instance, remediation } as unknown as CredentialDetail;
}

/** A deleted connection has no current record, but each of its records can still be read. */
async function findCredential(
  read: Reader,
  { credentialMetadataId, instanceId }: CredentialDetailArgs,
): Promise<Lean<CredentialMetadata> | undefined> {
  if (credentialMetadataId && instanceId)
    throw new AppError('BAD_REQUEST', 'Send either credentialMetadataId or instanceId, not both.');
  const id = instanceId ? (await findInstance(read, instanceId))?.credential : credentialMetadataId;
  if (!id && !instanceId) throw new AppError('BAD_REQUEST', 'Either credentialMetadataId or instanceId is required.');
  return id ? read.byId(CredentialMetadata, id) : undefined;
}
