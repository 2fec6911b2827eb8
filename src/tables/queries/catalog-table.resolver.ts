import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { Base62Id, decodeId } from '../../kernel/ids.js';
import type { ListSelection } from '../../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../../kernel/reading/paging.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { PreviewArgs, TableFilesArgs, TableRowsArgs, TableVersionsArgs } from '../catalog-table.inputs.js';
import { CatalogTable } from '../catalog-table.js';
import { findCatalogTable, IN_CATALOG, readCatalogTable } from '../existing-table.js';
import type { TableContext } from '../table-context.js';
import { TableFile } from '../table-file.js';
import { CHANGES_COLUMNS, IS_READABLE, TableVersion } from '../table-version.js';
import { findVersion } from './find-version.js';
import { readTableFiles } from './live-files.js';
import { previewRows } from './preview-rows.js';
import type { TableRow } from './read-table-rows.js';

type Row = Lean<CatalogTable>;
const CatalogTablePage = createPageType(CatalogTable, 'CatalogTablePage');
const TableVersionPage = createPageType(TableVersion, 'TableVersionPage');
const TableFilePage = createPageType(TableFile, 'TableFilePage');

const ID = { description: 'Id of the table.' };

const ROWS_DESCRIPTION =
  'Returns rows, starting with the newest file. To read several pages of the same version, send the same `version` with each request. Each row is an object with a value for every column. A missing value is null. Decimals, and integers beyond ±(2^53 - 1), are strings. Inside the values of JSON columns, numbers that a double cannot represent exactly are strings, too. Times are ISO 8601 strings. Returns fewer rows than `limit` if the rows would exceed 4 MiB. For the next page, increase `offset` by the number of returned rows. BAD_REQUEST if the request reads the rows of more than 20 tables. UNAVAILABLE if too many requests wait for rows.';

@Resolver(() => CatalogTable)
export class CatalogTableResolver {
  @Access('catalog:read')
  @Query(() => CatalogTablePage, { description: 'Tables of the workspace catalog, oldest first.' })
  catalogTables(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<CatalogTable>> {
    return readPage(read, CatalogTable, page, list, { where: IN_CATALOG });
  }

  @Access('catalog:read')
  @Query(() => CatalogTable, {
    nullable: true,
    description: 'A table by id. Null if it is not in the workspace catalog.',
  })
  catalogTable(@Arg('id', () => Base62Id, ID) id: string, @Ctx() { read }: RequestContext): Promise<Row | undefined> {
    return findCatalogTable(read, id);
  }

  @Access('catalog:read')
  @Query(() => TableFilePage, {
    description:
      'Files of a table or of one of its versions, newest first. NOT_FOUND if the table or the version does not exist.',
  })
  async catalogTableFiles(
    @Args(() => TableFilesArgs) { id, version, asOf, ...page }: TableFilesArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TableFile>> {
    const found = await findVersion(read, await readCatalogTable(read, id), { version, asOf });
    return readTableFiles(read, id, found, page, list);
  }

  @Access('catalog:read')
  @Query(() => TableVersionPage, {
    description: 'Readable versions of a table, newest first. NOT_FOUND if the table does not exist.',
  })
  catalogTableVersions(
    @Args(() => TableVersionsArgs) args: TableVersionsArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TableVersion>> {
    return readVersions(read, args, list, IS_READABLE);
  }

  @Access('catalog:read')
  @Query(() => TableVersionPage, {
    description:
      'Versions that changed the columns of a table, newest first. The list includes versions that can no longer be read. NOT_FOUND if the table does not exist.',
  })
  catalogTableSchemaChanges(
    @Args(() => TableVersionsArgs) args: TableVersionsArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<TableVersion>> {
    return readVersions(read, args, list, CHANGES_COLUMNS);
  }

  @Access('catalog:read')
  @Query(() => [JsonObject], {
    description: `${ROWS_DESCRIPTION} NOT_FOUND if the table or the version does not exist.`,
  })
  async catalogTableRows(
    @Args(() => TableRowsArgs) { id, ...query }: TableRowsArgs,
    @Ctx() context: TableContext,
  ): Promise<TableRow[]> {
    return previewRows(context, await readCatalogTable(context.read, id), query);
  }

  @Access('catalog:read')
  @FieldResolver(() => TenantConnectorTap, { description: 'Tap that the table belongs to.' })
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
  @FieldResolver(() => [JsonObject], { description: ROWS_DESCRIPTION })
  preview(
    @Root() table: Row,
    @Args(() => PreviewArgs) query: PreviewArgs,
    @Ctx() context: TableContext,
  ): Promise<TableRow[]> {
    return previewRows(context, table, query);
  }
}

async function readVersions(
  read: RequestContext['read'],
  { id, ...page }: TableVersionsArgs,
  list: ListSelection,
  where: string,
): Promise<PageOf<TableVersion>> {
  await readCatalogTable(read, id);
  return readPage(read, TableVersion, page, list, { where: `table_id = $1 and ${where}`, values: [decodeId(id)] });
}

async function tapOf(id: string, read: RequestContext['read']): Promise<Lean<TenantConnectorTap>> {
  return (await read.byId(TenantConnectorTap, id)) as Lean<TenantConnectorTap>;
}
