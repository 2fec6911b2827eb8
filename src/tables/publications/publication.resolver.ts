import { Arg, Args, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { ArtifactContext } from '../../artifacts/artifact-context.js';
import type { Change } from '../../kernel/changes/change.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean, MaybePromise } from '../../kernel/reading/reader.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { Access } from '../../tenancy/access.js';
import { isOfParent, watchChanges } from '../../tenancy/watch-changes.js';
import { CheckArtifactColumnsArgs } from '../tenant-connector-tap.inputs.js';
import { checkArtifactColumns } from './check-artifact-columns.js';
import { ArtifactColumnsCheck } from './column-check.js';
import { Publication } from './publication.js';

@Resolver(() => Publication)
export class PublicationResolver {
  @Access('artifacts:publish')
  @Query(() => ArtifactColumnsCheck, {
    description:
      'Checks the rows in the first 8 MiB of a CSV file against the types of its columns, and stores nothing. The result contains the number of rows that a publication would reject, and examples of values that do not fit. The check takes at most 10 seconds. Each process of the service runs the checks and inferences of a workspace one at a time. CONFLICT if the file is not a CSV file, or if its latest schema inference has not succeeded. NOT_FOUND if the file does not exist. `WA-AF-031` if the file lacks one of the `columns`, if two items of `columns` have the same `name`, if a type is invalid, or if `format` is missing and the values fit several formats or none.',
  })
  checkArtifactColumns(
    @Args(() => CheckArtifactColumnsArgs) { artifactId, columns }: CheckArtifactColumnsArgs,
    @Ctx() context: ArtifactContext,
  ): Promise<ArtifactColumnsCheck> {
    return checkArtifactColumns(context, artifactId, columns ?? []);
  }

  @Access('connectors:read')
  @Subscription(() => Publication, {
    description: 'Sends a publication after each change to its status, and about once a second while it runs.',
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
