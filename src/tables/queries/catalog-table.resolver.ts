import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { createPageType, PageArgs, type PageOf } from '../../kernel/reading/paging.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { PreviewArgs, TableFilesArgs, TableRowsArgs } from '../catalog-table.inputs.js';
import { CatalogTable } from '../catalog-table.js';
import { findCatalogTable, IN_CATALOG, readCatalogTable } from '../existing-table.js';
import type { TableContext } from '../table-context.js';
import { TableFile } from '../table-file.js';
import { countLiveFiles, listLiveFiles, loadLatestFiles } from './live-files.js';
import { previewRows } from './preview-rows.js';
import type { TableRow } from './read-table-rows.js';

type Row = Lean<CatalogTable>;
const CatalogTablePage = createPageType(CatalogTable, 'CatalogTablePage');
const TableFilePage = createPageType(TableFile, 'TableFilePage');

const ID = { description: 'Id of the table.' };

const ROWS_DESCRIPTION =
  'Rows of the newest files, in the order of each file: a value for each column by its name, null where there is none. Integers beyond 2^53, decimals, and numbers within JSON that a double does not hold are texts, times are texts in ISO 8601. Fewer rows where they have more than 4 MiB.';

@Resolver(() => CatalogTable)
export class CatalogTableResolver {
  @Access('catalog:read')
  @Query(() => CatalogTablePage, { description: 'Tables of the workspace catalog, the oldest first.' })
  async catalogTables(
    @Args(() => PageArgs) { limit, offset }: PageArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<CatalogTable>> {
    const [items, total] = await Promise.all([
      read.select(CatalogTable, { where: IN_CATALOG, limit, offset }),
      read.count(CatalogTable, IN_CATALOG),
    ]);
    return { items, limit, offset, total };
  }

  @Access('catalog:read')
  @Query(() => CatalogTable, {
    nullable: true,
    description: 'One table; null where there is none of that id in the workspace catalog.',
  })
  catalogTable(@Arg('id', () => Base62Id, ID) id: string, @Ctx() { read }: RequestContext): Promise<Row | undefined> {
    return findCatalogTable(read, id);
  }

  @Access('catalog:read')
  @Query(() => TableFilePage, {
    description: 'Files of a table, the newest first. NOT_FOUND where there is no such table.',
  })
  async catalogTableFiles(
    @Args(() => TableFilesArgs) { id, limit, offset }: TableFilesArgs,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TableFile>> {
    await readCatalogTable(read, id);
    const [items, total] = await Promise.all([listLiveFiles(read, id, { limit, offset }), countLiveFiles(read, id)]);
    return { items, limit, offset, total };
  }

  @Access('catalog:read')
  @Query(() => [JsonObject], { description: `${ROWS_DESCRIPTION} NOT_FOUND where there is no such table.` })
  async catalogTableRows(
    @Args(() => TableRowsArgs) { id, ...question }: TableRowsArgs,
    @Ctx() context: TableContext,
  ): Promise<TableRow[]> {
    return previewRows(context, await readCatalogTable(context.read, id), question);
  }

  @Access('catalog:read')
  @FieldResolver(() => TenantConnectorTap, { description: 'The tap that brings its rows.' })
  tap(@Root() { tap }: Row, @Ctx() { read }: RequestContext): Promise<Lean<TenantConnectorTap>> {
    return tapOf(tap, read);
  }

  @FieldResolver()
  async name(@Root() { tap }: Row, @Ctx() { read }: RequestContext): Promise<string> {
    return (await tapOf(tap, read)).tableName;
  }

  @FieldResolver()
  freshnessSeconds(@Root() { lastReceivedAt }: Row): number | undefined {
    if (!lastReceivedAt) return undefined;
    return Math.max(0, Math.floor((Date.now() - new Date(lastReceivedAt).getTime()) / 1_000));
  }

  @Access('catalog:read')
  @FieldResolver(() => [TableFile], { description: 'Its files, the 1,000 newest ones.' })
  files(@Root() { id }: Row, @Ctx() { read }: RequestContext): MaybePromise<Lean<TableFile>[]> {
    return loadLatestFiles(read, id);
  }

  @Access('catalog:read')
  @FieldResolver(() => [JsonObject], { description: ROWS_DESCRIPTION })
  preview(
    @Root() table: Row,
    @Args(() => PreviewArgs) question: PreviewArgs,
    @Ctx() context: TableContext,
  ): Promise<TableRow[]> {
    return previewRows(context, table, question);
  }
}

async function tapOf(id: string, read: RequestContext['read']): Promise<Lean<TenantConnectorTap>> {
  return (await read.byId(TenantConnectorTap, id)) as Lean<TenantConnectorTap>;
}
