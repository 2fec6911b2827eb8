import type { Ref } from '@mikro-orm/core';
import { Index } from '@mikro-orm/decorators/legacy';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { ValidationStatus } from '../sources/responses/test-outcome.js';
import { CredentialMetadata } from './credential-metadata.js';

export const ValidationTrigger = wireEnum('ValidationTrigger', 'Why a credential was tested.', {
  submitted: 'It was new.',
  requested: 'Somebody asked.',
  signed_in: 'Somebody signed in with the vendor.',
  periodic: 'It was time.',
  delivered: 'A delivery came that was verified with it.',
});
export type ValidationTrigger = keyof typeof ValidationTrigger;

@PlainObjectType('One test of a credential.')
@TenantTable({ orderBy: { validatedAt: 'desc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['credential', 'validatedAt'] })
export class CredentialValidation extends TenantOwned {
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @EnumColumn(ValidationTrigger, 'Why.')
  trigger: ValidationTrigger;

  @EnumColumn(ValidationStatus, 'What was found.')
  status: ValidationStatus;

  @EnumColumn(ValidationErrorCode, 'Why it did not pass.', { nullable: true })
  errorCode?: ValidationErrorCode;

  @TextColumn('The same in a sentence.')
  message: string;

  @JsonColumn(
    () => JsonObject,
    '`identity`, `grantedScopes`, `missingScopes`, `httpStatus` and `remediation`, where known.',
  )
  details: Record<string, unknown>;

  @DateTimeColumn('When.')
  validatedAt: Date = new Date();
}
