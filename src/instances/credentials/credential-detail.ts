import { ArgsType, Field } from 'type-graphql';
import { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { AppError } from '../../kernel/errors.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { CredentialStatus } from '../credential-status.js';
import { findInstance } from '../find-instance.js';
import { readCredentialRemediation } from './credential-remediation.js';

@ArgsType()
export class CredentialDetailArgs {
  @Field(() => Base62Id, { nullable: true, description: 'The credential record; either this or `instanceId`.' })
  credentialMetadataId?: string | null;

  @Field(() => Base62Id, { nullable: true, description: 'The connection whose current record is meant.' })
  instanceId?: string | null;
}

@PlainObjectType('What is known of a credential, and what to do about it.')
export class CredentialDetail {
  @RequiredField('The credential record.', () => Base62Id)
  credentialMetadataId: string;

  @RequiredField('The connection.', () => Base62Id)
  instanceId: string;

  @Field(() => CredentialStatus, { description: 'What is known of it.' })
  status: CredentialStatus;

  @OptionalField('Why it did not pass the latest test that could tell.', () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @OptionalField('What is known of it, in a sentence.')
  message?: string;

  @OptionalField('What to do next, where something is wrong.')
  remediation?: string;

  @OptionalField('When it was tested last.', () => DateTime)
  validatedAt?: Date;

  @OptionalField('When it ends by itself.', () => DateTime)
  expiresAt?: Date;

  @OptionalField('Scopes that the source granted, where it says.', () => [String])
  grantedScopes?: string[];

  @OptionalField('Scopes that were asked for and not granted.', () => [String])
  missingScopes?: string[];
}

export async function readCredentialDetail(
  read: Reader,
  args: CredentialDetailArgs,
): Promise<CredentialDetail | undefined> {
  const credential = await findCredential(read, args);
  if (!credential) return undefined;
  const { id, instance } = credential;
  const remediation = await readCredentialRemediation(read, credential);
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
