import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { PageArgs, type PageOf, pageType, readPage } from '../kernel/paging.js';
import { Access } from './access.js';
import { AuditEntry } from './audit-entry.js';
import type { WorkspaceContext } from './workspace-context.js';

const AuditEntryPage = pageType(AuditEntry, 'AuditEntryPage');

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @Access('audit:read')
  @Query(() => AuditEntryPage, { description: 'The audit trail, the newest entry first.' })
  auditEntries(@Args(() => PageArgs) page: PageArgs, @Ctx() { read }: WorkspaceContext): Promise<PageOf<AuditEntry>> {
    return readPage(read, AuditEntry, page);
  }
}
