import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { InboundAuthStrategy } from '../catalog/model/inbound-auth-strategy.js';
import { AnnouncesChanges } from '../kernel/changes/change.js';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CredentialStatus } from './credential-status.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

export const LATEST_ERROR_DESCRIPTION =
  'Error code of the latest conclusive test, which determined whether the credential is valid. Never `internal_error`, because a test with this error is inconclusive. Null if that test succeeded, or if no test was conclusive.';

@PlainObjectType('Metadata of one submission of credentials. Never contains the secrets.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['instance', 'createdAt'] })
@AnnouncesChanges({ entity: 'TenantConnectorInstance', id: 'new.instance_id' })
@Listed({
  filters: ['status', 'errorCode', 'strategy', 'createdAt', 'validatedAt'],
  orders: ['createdAt', 'validatedAt', 'expiresAt'],
})
export class CredentialMetadata extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorInstance, { description: 'The connection. Null if it was deleted.', nullable: true })
  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => ConnectorAuthStrategy, {
    nullable: true,
    description: 'Authentication strategy of an outbound connection. Null for an inbound connection.',
  })
  @ManyToOne(() => ConnectorAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  strategy?: Ref<ConnectorAuthStrategy>;

  @Field(() => InboundAuthStrategy, {
    nullable: true,
    description: 'Strategy that verifies senders of an inbound connection. Null for an outbound connection.',
  })
  @ManyToOne(() => InboundAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  inboundAuthStrategy?: Ref<InboundAuthStrategy>;

  @EnumColumn(CredentialStatus, 'Status of the credential.')
  status: CredentialStatus;

  @EnumColumn(ValidationErrorCode, LATEST_ERROR_DESCRIPTION, {
    nullable: true,
  })
  errorCode?: ValidationErrorCode;

  @TextColumn('Description of the status, in English. Null before the first test, unless an action is required.', {
    nullable: true,
  })
  message?: string;

  @DateTimeColumn('Time of the latest test. Null before the first test.', { nullable: true })
  validatedAt?: Date;

  @DateTimeColumn(
    'Time at which the credential expires. Null if the credential does not expire, or if the source does not report the time.',
    {
      nullable: true,
    },
  )
  expiresAt?: Date;

  @TextColumn('Name of the account at the source. Null if unknown.', { nullable: true })
  identity?: string;

  @JsonColumn(
    () => [String],
    'Scopes that the source granted. Null if the source does not report the granted scopes.',
    {
      nullable: true,
    },
  )
  grantedScopes?: string[];

  @JsonColumn(
    () => [String],
    'Requested scopes that the source did not grant. Null if the source does not report the granted scopes.',
    { nullable: true },
  )
  missingScopes?: string[];

  /** End of the lease of the running test. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  testedUntil?: Date;
}
