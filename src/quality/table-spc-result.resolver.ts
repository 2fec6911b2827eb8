import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { ListOf, OptionalPageArgs, SelectedList } from '../kernel/reading/paging.js';
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
  @Query(() => TableSpcResults, {
    description:
      'Lists the latest control charts of all tables in the workspace catalog. `resultsVersion` does not depend on the arguments.',
  })
  @ListOf(TableSpcResult)
  tableSpcResults(
    @Args(() => OptionalPageArgs) page: OptionalPageArgs,
    @SelectedList() selection: ListSelection,
    @Ctx() context: WorkspaceContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<LatestResults<TableSpcResult>> {
    return readLatestResults(context, TableSpcResult, page, selection, info);
  }

  @Access('catalog:read')
  @Query(() => TableSpcHistory, {
    description:
      'Lists the stored control charts of a contract, one result per run, newest first. NOT_FOUND if the contract does not exist.',
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
    description:
      'Renders the control chart of a series as SVG. Returns null if the table or the series does not exist.',
  })
  tableSpcChart(
    @Args(() => TableSpcChartArgs) args: TableSpcChartArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<string | undefined> {
    return renderTableSpcChart(read, args);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableContract, { description: 'Contract that the run was evaluated against.' })
  contract(
    @Root() { contract }: Lean<TableSpcResult>,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<TableContract> | undefined> {
    return read.byId(TableContract, contract);
  }
}
