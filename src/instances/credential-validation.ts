import type { Ref } from '@mikro-orm/core';
import { Index } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { AnnouncesChanges } from '../kernel/changes/change.js';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { ValidationStatus } from '../sources/responses/test-outcome.js';
import { Access } from '../tenancy/access.js';
import { CredentialMetadata } from './credential-metadata.js';

export const ValidationTrigger = wireEnum('ValidationTrigger', 'Trigger of a credential test.', {
  submitted: 'New credentials were submitted.',
  requested: 'A caller requested the test.',
  signed_in: 'A user signed in with the vendor.',
  periodic: 'A scheduled test.',
  delivered: 'A delivery was verified with the credential.',
  synced: 'The vendor rejected the credential during a sync.',
});
export type ValidationTrigger = keyof typeof ValidationTrigger;

export const ERROR_CODE_DESCRIPTION =
  'Error code. Null for the statuses `valid` and `manual_validation_required`. An inconclusive test has either `internal_error` or no error code.';

export const DETAILS_DESCRIPTION =
  'Account at the source (`identity`), granted and missing scopes (`grantedScopes`, `missingScopes`), status of the response (`httpStatus`) and next step for the user (`remediation`). Each member is absent if unknown.';

@PlainObjectType('One test of a credential.')
@TenantTable({ orderBy: { validatedAt: 'desc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['credential', 'validatedAt'] })
@Index({
  name: 'credential_validation_internal_error_index',
  properties: ['credential'],
  where: `error_code = 'internal_error'`,
})
@AnnouncesChanges({
  entity: 'TenantConnectorInstance',
  id: '(select c.instance_id from credential_metadata c where c.tenant_id = new.tenant_id and c.id = new.credential_id)',
  events: ['insert'],
})
@Listed({ filters: ['status', 'trigger', 'errorCode', 'validatedAt'], orders: ['validatedAt'] })
export class CredentialValidation extends TenantOwned {
  @Access('credentials:read')
  @Field(() => CredentialMetadata, { description: 'Credential that was tested.' })
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @EnumColumn(ValidationTrigger, 'Trigger of the test.')
  trigger: ValidationTrigger;

  @EnumColumn(ValidationStatus, 'Result of the test.')
  status: ValidationStatus;

  @EnumColumn(ValidationErrorCode, ERROR_CODE_DESCRIPTION, { nullable: true })
  errorCode?: ValidationErrorCode;

  @TextColumn('Description of the result, in English.')
  message: string;

  @JsonColumn(() => JsonObject, DETAILS_DESCRIPTION)
  details: Record<string, unknown>;

  @DateTimeColumn('Time of the test.')
  validatedAt: Date = new Date();
}
