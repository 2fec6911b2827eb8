import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading.js';
import type { RequestContext } from '../kernel/request-context.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import { readLatest } from './latest-results.js';
import { HistoryArgs, type HistoryOf, historyType, readHistory } from './result-history.js';
import { TableContract } from './table-contract.js';
import { type ResultsOf, resultsType } from './table-results.js';
import { findChart, TableSpcChartArgs } from './table-spc-chart.js';
import { TableSpcResult } from './table-spc-result.js';

const TableSpcResults = resultsType(TableSpcResult, 'TableSpcResults', 'The latest control charts');
const TableSpcHistory = historyType(TableSpcResult, 'TableSpcHistory');

@Resolver(() => TableSpcResult)
export class TableSpcResultResolver {
  @Access('catalog:read')
  @Query(() => TableSpcResults, { description: 'The latest control charts of all tables of the workspace catalog.' })
  tableSpcResults(
    @Ctx() { read, caller: { tenantId } }: WorkspaceContext,
    @Info() question: GraphQLResolveInfo,
  ): Promise<ResultsOf<TableSpcResult>> {
    return readLatest(read, tenantId, TableSpcResult, question);
  }

  @Access('catalog:read')
  @Query(() => TableSpcHistory, {
    description:
      'Control charts by one contract, run by run, the newest first. NOT_FOUND where there is no such contract.',
  })
  tableSpcHistory(
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<HistoryOf<TableSpcResult>> {
    return readHistory(read, TableSpcResult, args);
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
    return findChart(read, args);
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
