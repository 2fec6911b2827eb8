import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Connector } from '../../catalog/model/connector.js';
import { TenantAudited, TenantTable } from '../../kernel/entities/tenant-table.js';

/** Overrides the `defaultBaseUrl` of a connector in one workspace. */
@TenantTable()
@Unique({ properties: ['tenantId', 'connector'] })
export class ConnectorBaseUrl extends TenantAudited {
  @ManyToOne(() => Connector, { ref: true, deleteRule: 'cascade' })
  @Index()
  connector: Ref<Connector>;

  /** Origin and path, without a trailing slash. */
  @Property({ type: 'text' })
  baseUrl: string;
}
