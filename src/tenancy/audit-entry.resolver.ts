import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { createPageType, PageArgs, type PageOf, readPage, SelectedList } from '../kernel/reading/paging.js';
import { Access } from './access.js';
import { AuditEntry } from './audit-entry.js';
import type { WorkspaceContext } from './workspace-context.js';

const AuditEntryPage = createPageType(AuditEntry, 'AuditEntryPage');

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @Access('audit:read')
  @Query(() => AuditEntryPage, { description: 'The audit trail of the workspace, newest entry first.' })
  auditEntries(
    @Args(() => PageArgs) page: PageArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: WorkspaceContext,
  ): Promise<PageOf<AuditEntry>> {
    return readPage(read, AuditEntry, page, list);
  }
}
