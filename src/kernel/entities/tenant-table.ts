import { type EntityClass, type PolicyDef, raw } from '@mikro-orm/core';
import { Entity, Filter, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { decodeId, IdColumn } from '../ids.js';
import { Audited, Identified } from './audited.js';

/**
 * The rows of a tenant table belong to a workspace, the tenant. The application adds the tenant to every statement. In
 * addition, row level security limits each transaction to the rows of its tenant.
 */

/** PostgreSQL setting that contains the tenant id of a transaction. */
export const TENANT_SETTING = 'taproot.tenant_id';

/** MikroORM filter that adds the tenant to statements of the unit of work. */
export const TENANT_FILTER = 'tenant';

/** After a transaction-local setting has ended, PostgreSQL returns '' instead of null. */
export const CURRENT_TENANT = `nullif(current_setting('${TENANT_SETTING}', true), '')::uuid`;

const IS_OWN = `tenant_id = ${CURRENT_TENANT}`;
const READ_AND_WRITE: PolicyDef[] = [{ name: 'tenant', using: IS_OWN, check: IS_OWN }];

/** With the subquery, PostgreSQL reads the setting once per statement. */
const IS_OWN_ONCE = `tenant_id = (select ${CURRENT_TENANT} as "nullif")`;
const READ_AND_WRITE_ONCE: PolicyDef[] = [{ name: 'tenant', using: IS_OWN_ONCE, check: IS_OWN_ONCE }];
const APPEND_ONLY: PolicyDef[] = [
  { name: 'tenant_read', command: 'select', using: IS_OWN },
  { name: 'tenant_append', command: 'insert', check: IS_OWN },
];

interface Options {
  orderBy?: Record<string, 'asc' | 'desc'>;
  /** The runtime role can insert and read rows, but not update or delete them. */
  appendOnly?: true;
  /** Policies that permit access to rows of other tenants. */
  policies?: readonly PolicyDef[];
  /**
   * For large tables with `policies`. PostgreSQL joins the policies with `or`, and would read `TENANT_SETTING` for each
   * row, which takes 6 ms for 10,000 rows. With `true`, it reads the setting once.
   */
  readsSettingOnce?: true;
}

export function TenantTable({ appendOnly, policies = [], readsSettingOnce, ...options }: Options = {}) {
  const readAndWrite = readsSettingOnce ? READ_AND_WRITE_ONCE : READ_AND_WRITE;
  const all = [...(appendOnly ? APPEND_ONLY : readAndWrite), ...policies];
  return (target: EntityClass<object>): void => {
    Unique({ properties: ['tenantId', 'id'] as never })(target);
    Filter({ name: TENANT_FILTER, cond: ({ tenantId }) => ({ tenantId }), default: true })(target as never);
    Entity({ ...options, policies: all, rowLevelSecurity: 'force' })(target as never);
  };
}

/** The foreign key includes the tenant, so the relation cannot refer to a row of another tenant. */
export function TenantRelation(
  entity: () => EntityClass<object>,
  column: string,
  options: { nullable?: true; deleteRule?: 'cascade' } = {},
) {
  return ManyToOne(
    entity as never,
    {
      ref: true,
      joinColumns: ['tenant_id', column],
      referencedColumnNames: ['tenant_id', 'id'],
      deleteRule: 'no action', // For a nullable relation, the default rule would also set tenant_id to null.
      ...options,
    } as never,
  );
}

/**
 * Query condition: the tenant relation refers to `id`. The relation has two columns, so MikroORM cannot compare it with
 * a single id.
 */
export function relationEquals(column: string, id: string): object {
  return { [raw(`"${column}"`)]: decodeId(id) };
}

/**
 * Value of a tenant relation for `nativeUpdate`. With a plain id, MikroORM would write the id into the first
 * column, `tenant_id`.
 */
export function relationValue(tenantId: string, id: string | undefined): never {
  return (id ? [decodeId(tenantId), decodeId(id)] : null) as never;
}

@ObjectType({ simpleResolvers: true })
export abstract class TenantOwned extends Identified {
  @Property({ type: IdColumn })
  tenantId: string;
}

@ObjectType({ simpleResolvers: true })
export abstract class TenantAudited extends Audited {
  @Property({ type: IdColumn })
  tenantId: string;
}
