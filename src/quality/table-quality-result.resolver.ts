import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { ListOf, OptionalPageArgs, SelectedList } from '../kernel/reading/paging.js';
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
  @Query(() => TableQualityResults, {
    description:
      'Lists the latest checks of all tables in the workspace catalog. `resultsVersion` does not depend on the arguments.',
  })
  @ListOf(TableQualityResult)
  tableQualityResults(
    @Args(() => OptionalPageArgs) page: OptionalPageArgs,
    @SelectedList() selection: ListSelection,
    @Ctx() context: WorkspaceContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<LatestResults<TableQualityResult>> {
    return readLatestResults(context, TableQualityResult, page, selection, info);
  }

  @Access('catalog:read')
  @Query(() => TableQualityHistory, {
    description:
      'Lists the stored check results of a contract, one per run, newest first. NOT_FOUND if the contract does not exist.',
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
      'Stores the check results and the values that an external job reports for a table. Returns the result of the checks, or null if the report contains no checks. A second report with the same `runId` replaces the first. BAD_REQUEST if the report is empty, or if a value or check is invalid. NOT_FOUND if the table does not exist.',
  })
  recordTableRun(
    @Arg('input', () => TableRunInput) input: TableRunInput,
    @Ctx() context: TableContext,
  ): Promise<Row | undefined> {
    return recordTableRun(context, input);
  }

  @Access('catalog:read')
  @FieldResolver(() => TableContract, { description: 'Contract that the run was checked against.' })
  contract(@Root() { contract }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<TableContract> | undefined> {
    return read.byId(TableContract, contract);
  }
}
