import { type EntityClass, type PolicyDef, raw } from '@mikro-orm/core';
import { Entity, Filter, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { decodeId, IdColumn } from '../ids.js';
import { Audited, Identified } from './audited.js';

/**
 * Tables whose rows belong to a workspace, a tenant. Two walls stand around them: the application names the tenant in
 * every statement, and row level security shows and takes no row but those of the tenant that the transaction names.
 */

/** The setting that names the tenant of a transaction, a UUID. */
export const TENANT_SETTING = 'taproot.tenant_id';

/** The filter of the unit of work: the first wall where entities are written. */
export const TENANT_FILTER = 'tenant';

/** After a local setting has ended, PostgreSQL answers '' for it, not null. */
export const CURRENT_TENANT = `nullif(current_setting('${TENANT_SETTING}', true), '')::uuid`;

const IS_OWN = `tenant_id = ${CURRENT_TENANT}`;
const READ_AND_WRITE: PolicyDef[] = [{ name: 'tenant', using: IS_OWN, check: IS_OWN }];
const APPEND_ONLY: PolicyDef[] = [
  { name: 'tenant_read', command: 'select', using: IS_OWN },
  { name: 'tenant_append', command: 'insert', check: IS_OWN },
];

interface Options {
  orderBy?: Record<string, 'asc' | 'desc'>;
  /** Rows are added and read, never changed or removed. */
  appendOnly?: true;
  /** What shows or takes rows beside the tenant's own. */
  policies?: readonly PolicyDef[];
}

/** An entity whose rows belong to a workspace. */
export function TenantTable({ appendOnly, policies = [], ...options }: Options = {}) {
  const all = [...(appendOnly ? APPEND_ONLY : READ_AND_WRITE), ...policies];
  return (target: EntityClass<object>): void => {
    Unique({ properties: ['tenantId', 'id'] as never })(target);
    Filter({ name: TENANT_FILTER, cond: ({ tenantId }) => ({ tenantId }), default: true })(target as never);
    Entity({ ...options, policies: all, rowLevelSecurity: 'force' })(target as never);
  };
}

/** A relation to a row of the same workspace: the foreign key holds the tenant too, so it cannot reach another's. */
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
      deleteRule: 'no action', // the default for a nullable one would empty the tenant as well
      ...options,
    } as never,
  );
}

/** The condition that such a relation points at `id`: the relation itself stands for both of its columns, and fits no one id. */
export function relationEquals(column: string, id: string): object {
  return { [raw(`"${column}"`)]: decodeId(id) };
}

/** What moves such a relation in `nativeUpdate`: the unit of work would write the id into the first column, the tenant. */
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
