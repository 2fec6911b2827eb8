import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { Access } from '../tenancy/access.js';
import { TableContract } from './contracts/table-contract.js';

@Resolver(() => CatalogTable)
export class TableContractsResolver {
  @Access('catalog:read')
  @FieldResolver(() => [TableContract], {
    description: 'Contracts of the table: one for the whole table, one for the rows of each run.',
  })
  contracts(@Root() { id }: Lean<CatalogTable>, @Ctx() { read }: RequestContext): MaybePromise<Lean<TableContract>[]> {
    return read.many(TableContract, 'table', id);
  }
}
