import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { createPageType, PageArgs, type PageOf, readPage } from '../kernel/reading/paging.js';
import { Access } from './access.js';
import { AuditEntry } from './audit-entry.js';
import type { WorkspaceContext } from './workspace-context.js';

const AuditEntryPage = createPageType(AuditEntry, 'AuditEntryPage');

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @Access('audit:read')
  @Query(() => AuditEntryPage, { description: 'The audit trail of the workspace, newest entry first.' })
  auditEntries(@Args(() => PageArgs) page: PageArgs, @Ctx() { read }: WorkspaceContext): Promise<PageOf<AuditEntry>> {
    return readPage(read, AuditEntry, page);
  }
}
