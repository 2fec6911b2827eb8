import { Arg, Ctx, Resolver, Root, Subscription } from 'type-graphql';
import type { Change } from '../kernel/changes/change.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { findCatalogTable } from '../tables/existing-table.js';
import { Access } from '../tenancy/access.js';
import { isOfParent, watchChanges } from '../tenancy/watch-changes.js';
import { TableContract } from './contracts/table-contract.js';
import { presentResult } from './results/latest-results.js';
import { TableQualityResult } from './results/table-quality-result.js';

@Resolver(() => TableQualityResult)
export class QualityUpdatesResolver {
  @Access('catalog:read')
  @Subscription(() => TableQualityResult, {
    description:
      'Sends the check results of each run as soon as the service has stored them. Sends null if newer results have already replaced them, or if the table is no longer in the workspace catalog.',
    nullable: true,
    subscribe: watchChanges(TableQualityResult, { matches: isOfParent('tableId') }),
  })
  async tableQualityResultChanged(
    @Root() { id }: Change,
    @Arg('tableId', () => Base62Id, { nullable: true, description: 'Sends only results of this table.' })
    _tableId: string | null,
    @Ctx() { read }: RequestContext,
  ): Promise<Lean<TableQualityResult> | undefined> {
    const result = await read.byId(TableQualityResult, id);
    const contract = result && (await read.byId(TableContract, result.contract));
    const isInCatalog = contract && (await findCatalogTable(read, contract.table));
    return isInCatalog ? presentResult(result, contract.scope) : undefined;
  }
}
