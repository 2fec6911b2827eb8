import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { TableContext } from '../tables/table-context.js';
import { Access } from '../tenancy/access.js';
import { TableContractInput } from './contracts/table-contract.inputs.js';
import { TableContract } from './contracts/table-contract.js';
import { presentResult } from './results/latest-results.js';
import { TableQualityResult } from './results/table-quality-result.js';
import { TableSpcResult } from './spc/table-spc-result.js';
import { updateTableContract } from './update-table-contract.js';

type Row = Lean<TableContract>;

@Resolver(() => TableContract)
export class TableContractResolver {
  @Access('contracts:write')
  @Mutation(() => TableContract, {
    description:
      'Changes what is expected of a table, from the next run on; what is left out stays. NOT_FOUND where there is no such contract, CONFLICT where `version` is not that which it has.',
  })
  updateTableContract(
    @Arg('input', () => TableContractInput) input: TableContractInput,
    @Ctx() context: TableContext,
  ): Promise<Row> {
    return updateTableContract(context, input);
  }

  @Access('catalog:read')
  @FieldResolver(() => CatalogTable, { description: 'The table.' })
  table(@Root() { table }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<CatalogTable> | undefined> {
    return read.byId(CatalogTable, table);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableSpcResult, { nullable: true, description: 'Its control charts after the latest run.' })
  async latestSpcResult(
    @Root() { id, scope }: Row,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TableSpcResult> | undefined> {
    const [latest] = await read.latest(TableSpcResult, 'contract', id, 1);
    return latest && presentResult(latest, scope);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableQualityResult, { nullable: true, description: 'Its checks after the latest run.' })
  async latestQualityResult(
    @Root() { id, scope }: Row,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TableQualityResult> | undefined> {
    const [latest] = await read.latest(TableQualityResult, 'contract', id, 1);
    return latest && presentResult(latest, scope);
  }
}
