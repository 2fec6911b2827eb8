import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { Access } from '../tenancy/access.js';
import { TableContract } from './contracts/table-contract.js';

/** What a table has on this floor. */
@Resolver(() => CatalogTable)
export class TableContractsResolver {
  @Access('catalog:read')
  @FieldResolver(() => [TableContract], { description: 'What is expected of it, and of what its tap brings.' })
  contracts(@Root() { id }: Lean<CatalogTable>, @Ctx() { read }: RequestContext): MaybePromise<Lean<TableContract>[]> {
    return read.many(TableContract, 'table', id);
  }
}
