import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { ConnectorAuthStrategy } from '../catalog/model/connector-auth-strategy.js';
import { ValidationErrorCode } from '../catalog/model/credential-verification.js';
import { InboundAuthStrategy } from '../catalog/model/inbound-auth-strategy.js';
import {
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CredentialStatus } from './credential-status.js';
import { CredentialValidation } from './credential-validation.js';
import { TenantConnectorInstance } from './tenant-connector-instance.js';

@PlainObjectType('One submission of credentials: what is known of it, never the secrets.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['instance', 'createdAt'] })
export class CredentialMetadata extends TenantAudited {
  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  @Field(() => Base62Id, { description: 'The connection that it was submitted for.' })
  instanceId: string;

  @Field(() => ConnectorAuthStrategy, {
    nullable: true,
    description: 'How it authenticates; missing where it verifies senders.',
  })
  @ManyToOne(() => ConnectorAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  strategy?: Ref<ConnectorAuthStrategy>;

  @Field(() => InboundAuthStrategy, { nullable: true, description: 'How it verifies senders, where it does.' })
  @ManyToOne(() => InboundAuthStrategy, { ref: true, nullable: true, deleteRule: 'no action' })
  @Index()
  inboundAuthStrategy?: Ref<InboundAuthStrategy>;

  @EnumColumn(CredentialStatus, 'What is known of it.')
  status: CredentialStatus;

  @EnumColumn(
    ValidationErrorCode,
    'Why it did not pass the latest test that could tell; null where it did, or none could.',
    {
      nullable: true,
    },
  )
  errorCode?: ValidationErrorCode;

  @TextColumn('What is known of it, in a sentence.', { nullable: true })
  message?: string;

  @DateTimeColumn('When it was tested last.', { nullable: true })
  validatedAt?: Date;

  @DateTimeColumn('When it ends by itself; missing where it does not, or nobody knows.', { nullable: true })
  expiresAt?: Date;

  @TextColumn('Name of the account at the source.', { nullable: true })
  identity?: string;

  @JsonColumn(() => [String], 'Scopes that the source granted, where it says.', { nullable: true })
  grantedScopes?: string[];

  @JsonColumn(() => [String], 'Scopes that were asked for and not granted.', { nullable: true })
  missingScopes?: string[];

  /** Until then nobody else tests it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  testedUntil?: Date;

  @Access('credentials:read')
  @Field(() => [CredentialValidation], { description: 'The latest 50 tests, the newest first.' })
  validations: CredentialValidation[];
}
