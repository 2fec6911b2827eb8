import { ArgsType, Field } from 'type-graphql';
import { ValidationErrorCode } from '../../catalog/model/credential-verification.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { AppError } from '../../kernel/errors.js';
import { Base62Id } from '../../kernel/ids.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { CredentialMetadata, LATEST_ERROR_DESCRIPTION } from '../credential-metadata.js';
import { CredentialStatus } from '../credential-status.js';
import { findInstance } from '../find-instance.js';
import { readCredentialRemediation } from './credential-remediation.js';

@ArgsType()
export class CredentialDetailArgs {
  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the credential record. Send either `credentialMetadataId` or `instanceId`.',
  })
  credentialMetadataId?: string | null;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the connection. Selects the current credential record of the connection.',
  })
  instanceId?: string | null;
}

@PlainObjectType('Status of a credential, and the next step for the user.')
export class CredentialDetail {
  @RequiredField('Id of the credential record.', () => Base62Id)
  credentialMetadataId: string;

  @RequiredField('Id of the connection.', () => Base62Id)
  instanceId: string;

  @Field(() => CredentialStatus, { description: 'Status of the credential.' })
  status: CredentialStatus;

  @OptionalField(LATEST_ERROR_DESCRIPTION, () => ValidationErrorCode)
  errorCode?: ValidationErrorCode | null | undefined;

  @OptionalField('Description of the status, in English. Null before the first test, unless an action is required.')
  message?: string;

  @OptionalField('Next step, in English. Null if no action is required.')
  remediation?: string;

  @OptionalField('Time of the latest test. Null before the first test.', () => DateTime)
  validatedAt?: Date;

  @OptionalField(
    'Time at which the credential expires. Null if the credential does not expire, or if the source does not report the time.',
    () => DateTime,
  )
  expiresAt?: Date;

  @OptionalField('Scopes that the source granted. Null if the source does not report the granted scopes.', () => [
    String,
  ])
  grantedScopes?: string[];

  @OptionalField(
    'Requested scopes that the source did not grant. Null if the source does not report the granted scopes.',
    () => [String],
  )
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
  const detail = overrideRow(credential, { credentialMetadataId: id, instanceId: instance, remediation });
  return detail as unknown as CredentialDetail;
}

/** The credential records of a deleted connection remain readable, although none of them is current. */
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
