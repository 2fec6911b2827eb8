import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Base62Id } from '../kernel/ids.js';
import type { ListSelection } from '../kernel/reading/list-selection.js';
import { createPageType, type PageOf, readPage, SelectedList } from '../kernel/reading/paging.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import { Access } from '../tenancy/access.js';
import { User } from '../tenancy/user.js';
import { ArtifactsArgs, UpdateArtifactArgs, UploadArtifactArgs } from './artifact.inputs.js';
import { Artifact, ArtifactUploader } from './artifact.js';
import type { ArtifactContext } from './artifact-context.js';
import { normalizeFolder } from './artifact-location.js';
import { ArtifactUploadResult } from './artifact-upload-result.js';
import { deleteArtifact } from './delete-artifact.js';
import { findArtifact, readArtifact } from './find-artifact.js';
import { runSchemaInference } from './run-schema-inference.js';
import { updateArtifact } from './update-artifact.js';
import { uploadArtifact } from './upload-artifact.js';

type Row = Lean<Artifact>;
const ArtifactPage = createPageType(Artifact, 'ArtifactPage');

const ID = { description: 'Id of the file.' };

@Resolver(() => Artifact)
export class ArtifactResolver {
  @Access('artifacts:read', { otherwise: () => null })
  @Query(() => Artifact, {
    nullable: true,
    description:
      'Returns a file. Null if it does not exist in the workspace or the caller is not allowed to read files.',
  })
  artifact(
    @Arg('artifactId', () => Base62Id, ID) artifactId: string,
    @Ctx() { read }: RequestContext,
  ): Promise<Row | undefined> {
    return findArtifact(read, artifactId);
  }

  @Access('artifacts:read')
  @Query(() => ArtifactPage, { description: 'Lists the files of the workspace, newest first.' })
  artifacts(
    @Args(() => ArtifactsArgs) { path, ...page }: ArtifactsArgs,
    @SelectedList() list: ListSelection,
    @Ctx() { read }: RequestContext,
  ): Promise<PageOf<Artifact>> {
    const isAnywhere = path === undefined || path === null;
    const where = isAnywhere ? 'deleted_at is null' : `deleted_at is null and path is not distinct from $1`;
    const values = isAnywhere ? [] : [normalizeFolder(path) ?? null];
    return readPage(read, Artifact, page, list, { where, values });
  }

  @Access('artifacts:write')
  @Mutation(() => ArtifactUploadResult, {
    description:
      'Uploads a file. Rejects a file whose content is not supported, and a CSV file whose first rows do not form a table. Errors: `WA-AF-001` to `WA-AF-015`, `WA-AF-025`, `WA-AF-029`, and STORAGE_QUOTA_EXCEEDED if the file exceeds the storage quota.',
  })
  async uploadArtifact(
    @Args(() => UploadArtifactArgs, { validateFn: skipValidation }) args: UploadArtifactArgs,
    @Ctx() context: ArtifactContext,
  ): Promise<ArtifactUploadResult> {
    const { id, sampleRows } = await uploadArtifact(context, args);
    return { artifact: await readArtifact(context.read, id), sampleRows };
  }

  @Access('artifacts:infer')
  @Mutation(() => ArtifactUploadResult, {
    description:
      'Infers the column types of a CSV file from its first records: at most 10,000 records and at most 8 MiB. `dataSchema` of a published file does not change. If the inference fails, returns `inferenceError` and keeps the previous schema. Errors: NOT_FOUND if the file does not exist.',
  })
  runArtifactSchemaInference(
    @Arg('artifactId', () => Base62Id, ID) artifactId: string,
    @Ctx() context: ArtifactContext,
  ): Promise<ArtifactUploadResult> {
    return runSchemaInference(context, artifactId);
  }

  @Access('artifacts:write')
  @Mutation(() => Artifact, {
    description:
      'Renames or moves a file. Omitted fields keep their value. Errors: NOT_FOUND if the file does not exist, `WA-AF-013` if the new name has the extension of a different file type.',
  })
  async updateArtifact(
    @Args(() => UpdateArtifactArgs) args: UpdateArtifactArgs,
    @Ctx() { read, write }: ArtifactContext,
  ): Promise<Row> {
    await write((tx) => updateArtifact(tx, args));
    return readArtifact(read, args.artifactId);
  }

  @Access('artifacts:delete')
  @Mutation(() => Boolean, {
    description:
      'Deletes a file. The service erases the content 30 days later. Errors: NOT_FOUND if the file does not exist, ARTIFACT_HAS_TAP if the file is published as a table.',
  })
  async deleteArtifact(
    @Arg('artifactId', () => Base62Id, ID) artifactId: string,
    @Ctx() { write, artifacts }: ArtifactContext,
  ): Promise<boolean> {
    await write((tx) => deleteArtifact(tx, artifacts.jobs, artifactId));
    return true;
  }

  @FieldResolver(() => ArtifactUploader)
  async uploadedBy(@Root() { createdBy }: Row, @Ctx() { read }: RequestContext): Promise<ArtifactUploader> {
    return (await read.byId(User, createdBy)) as ArtifactUploader;
  }

  @FieldResolver()
  attributedTapId(@Root() { attributedTap }: Row): string | undefined {
    return attributedTap;
  }
}

/**
 * Skips the check of `@Limits`, because `validateArtifactLocation` checks the arguments and throws its own error code.
 */
function skipValidation(): void {}
