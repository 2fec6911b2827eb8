import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import { renderTableSpcChart, TableSpcChartArgs } from './chart/table-spc-chart.js';
import { TableContract } from './contracts/table-contract.js';
import { readLatestResults } from './results/latest-results.js';
import { type LatestResults, latestResultsType } from './results/latest-results-type.js';
import { HistoryArgs, type ResultHistory, readResultHistory, resultHistoryType } from './results/result-history.js';
import { TableSpcResult } from './spc/table-spc-result.js';

const TableSpcResults = latestResultsType(TableSpcResult, 'TableSpcResults', 'The latest control charts');
const TableSpcHistory = resultHistoryType(TableSpcResult, 'TableSpcHistory');

@Resolver(() => TableSpcResult)
export class TableSpcResultResolver {
  @Access('catalog:read')
  @Query(() => TableSpcResults, { description: 'The latest control charts of all tables of the workspace catalog.' })
  tableSpcResults(
    @Ctx() { read, caller: { tenantId } }: WorkspaceContext,
    @Info() question: GraphQLResolveInfo,
  ): Promise<LatestResults<TableSpcResult>> {
    return readLatestResults(read, tenantId, TableSpcResult, question);
  }

  @Access('catalog:read')
  @Query(() => TableSpcHistory, {
    description:
      'Control charts by one contract, run by run, the newest first. NOT_FOUND where there is no such contract.',
  })
  tableSpcHistory(
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<ResultHistory<TableSpcResult>> {
    return readResultHistory(read, TableSpcResult, args);
  }

  @Access('catalog:read')
  @Query(() => String, {
    nullable: true,
    description: 'The control chart of a series as SVG; null where there is no such table or series.',
  })
  tableSpcChart(
    @Args(() => TableSpcChartArgs) args: TableSpcChartArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<string | undefined> {
    return renderTableSpcChart(read, args);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableContract, { description: 'What was expected of the run.' })
  contract(
    @Root() { contract }: Lean<TableSpcResult>,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<TableContract> | undefined> {
    return read.byId(TableContract, contract);
  }
}
