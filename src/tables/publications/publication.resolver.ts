import { Arg, Ctx, Resolver, Root, Subscription } from 'type-graphql';
import type { Change } from '../../kernel/changes/change.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { isOfParent, watchChanges } from '../../tenancy/watch-changes.js';
import { Publication } from './publication.js';

@Resolver(() => Publication)
export class PublicationResolver {
  @Access('connectors:read')
  @Subscription(() => Publication, {
    description:
      'Sends a publication of the workspace after each change to its status, and about once a second while it runs.',
    subscribe: watchChanges(Publication, { matches: isOfParent('tapId') }),
  })
  publicationChanged(
    @Root() { id }: Change,
    @Arg('tapId', () => Base62Id, { nullable: true, description: 'Sends only the publication of this tap.' })
    _tapId: string | null,
    @Ctx() { read }: RequestContext,
  ): MaybePromise<Lean<Publication> | undefined> {
    return read.byId(Publication, id);
  }
}
