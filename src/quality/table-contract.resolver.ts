import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { CatalogTable } from '../tables/catalog-table.js';
import type { TableContext } from '../tables/table-context.js';
import { Access } from '../tenancy/access.js';
import { acceptSpcLevel } from './accept-spc-level.js';
import { AcceptSpcLevelArgs, ContractPreviewArgs, TableContractInput } from './contracts/table-contract.inputs.js';
import { TableContract } from './contracts/table-contract.js';
import { TableContractPreview } from './preview/contract-preview.js';
import { previewTableContract } from './preview/preview-table-contract.js';
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
      'Updates a contract, with effect from the next run. Omitted and null fields remain unchanged, except that null clears `timestampColumn`. If a column is added to `sensitiveColumns`, the service removes the values of the column from stored results. BAD_REQUEST if the contract would be invalid. NOT_FOUND if the contract does not exist. CONFLICT if `version` is not the current version of the contract.',
  })
  updateTableContract(
    @Arg('input', () => TableContractInput) input: TableContractInput,
    @Ctx() context: TableContext,
  ): Promise<Row> {
    return updateTableContract(context, input);
  }

  @Access('contracts:write')
  @Query(() => TableContractPreview, {
    description:
      'Returns the effect that a change to a contract would have had on its stored results, and changes nothing. Compares the observed values of the latest `runs` results with the changed thresholds. Evaluates the control charts of the latest 200 results again, and returns their last `runs` points. Ignores `version` of `input`. BAD_REQUEST if the contract would be invalid. NOT_FOUND if the contract does not exist.',
  })
  previewTableContract(
    @Args(() => ContractPreviewArgs) { input, runs }: ContractPreviewArgs,
    @Ctx() context: TableContext,
  ): Promise<TableContractPreview> {
    return previewTableContract(context, input, runs);
  }

  @Access('contracts:write')
  @Mutation(() => TableContract, {
    description:
      'Accepts a new level of a control chart. From the next run on, the chart ignores all points before `from`. Points between `from` and the decision are part of the baseline of the limits, even if they are OUT_OF_CONTROL. Increments the version of the contract. BAD_REQUEST if the series has no point at or after `from`. NOT_FOUND if the contract in `seriesId` does not exist.',
  })
  acceptSpcLevel(
    @Args(() => AcceptSpcLevelArgs) { seriesId, from }: AcceptSpcLevelArgs,
    @Ctx() context: TableContext,
  ): Promise<Row> {
    return acceptSpcLevel(context, seriesId, from);
  }

  @Access('catalog:read')
  @FieldResolver(() => CatalogTable, { description: 'Table of the contract.' })
  table(@Root() { table }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<CatalogTable> | undefined> {
    return read.byId(CatalogTable, table);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableSpcResult, {
    nullable: true,
    description:
      'Latest control charts, computed by the service or reported by an external job. Null if there are no control charts yet.',
  })
  async latestSpcResult(
    @Root() { id, scope }: Row,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TableSpcResult> | undefined> {
    const [latest] = await read.latest(TableSpcResult, 'contract', id, 1);
    return latest && presentResult(latest, scope);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableQualityResult, {
    nullable: true,
    description:
      'Latest checks, computed by the service or reported by an external job. Null if there are no checks yet.',
  })
  async latestQualityResult(
    @Root() { id, scope }: Row,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TableQualityResult> | undefined> {
    const [latest] = await read.latest(TableQualityResult, 'contract', id, 1);
    return latest && presentResult(latest, scope);
  }
}
