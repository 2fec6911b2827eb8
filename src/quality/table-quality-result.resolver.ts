import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Lean, MaybePromise } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import type { TableContext } from '../tables/table-context.js';
import { Access } from '../tenancy/access.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import { TableContract } from './contracts/table-contract.js';
import { readLatestResults } from './results/latest-results.js';
import { type LatestResults, latestResultsType } from './results/latest-results-type.js';
import { HistoryArgs, type ResultHistory, readResultHistory, resultHistoryType } from './results/result-history.js';
import { TableQualityResult } from './results/table-quality-result.js';
import { recordTableRun } from './runs/record-table-run.js';
import { TableRunInput } from './runs/table-run.inputs.js';

type Row = Lean<TableQualityResult>;
const TableQualityResults = latestResultsType(TableQualityResult, 'TableQualityResults', 'The latest checks');
const TableQualityHistory = resultHistoryType(TableQualityResult, 'TableQualityHistory');

@Resolver(() => TableQualityResult)
export class TableQualityResultResolver {
  @Access('catalog:read')
  @Query(() => TableQualityResults, { description: 'The latest checks of all tables of the workspace catalog.' })
  tableQualityResults(
    @Ctx() { read, caller: { tenantId } }: WorkspaceContext,
    @Info() question: GraphQLResolveInfo,
  ): Promise<LatestResults<TableQualityResult>> {
    return readLatestResults(read, tenantId, TableQualityResult, question);
  }

  @Access('catalog:read')
  @Query(() => TableQualityHistory, {
    description: 'Checks by one contract, run by run, the newest first. NOT_FOUND where there is no such contract.',
  })
  tableQualityHistory(
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<ResultHistory<TableQualityResult>> {
    return readResultHistory(read, TableQualityResult, args);
  }

  @Access('table_runs:write')
  @Mutation(() => TableQualityResult, {
    nullable: true,
    description:
      'Takes what a job outside of the service has made of a table, and answers the result of its checks: null where it brings none. The same run again replaces the first report. NOT_FOUND where there is no such table.',
  })
  recordTableRun(
    @Arg('input', () => TableRunInput) input: TableRunInput,
    @Ctx() context: TableContext,
  ): Promise<Row | undefined> {
    return recordTableRun(context, input);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableContract, { description: 'What was expected of the run.' })
  contract(@Root() { contract }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<TableContract> | undefined> {
    return read.byId(TableContract, contract);
  }
}
