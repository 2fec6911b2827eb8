import { ArgsType, Field } from 'type-graphql';
import { Limits } from '../kernel/entities/field-limits.js';
import { type IncomingFile, Upload } from '../kernel/files/incoming-file.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
import { FILE_NAME_LIMITS, FOLDER_LIMITS } from './artifact-location.js';

@ArgsType()
export class ArtifactsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Only files of this folder, not of those below; `/` is the root.',
  })
  @Limits(FOLDER_LIMITS)
  path?: string | null;
}

/** Bounds of name and path are those of a change, told by codes of their own: see `validateArtifactLocation`. */
@ArgsType()
export class UploadArtifactArgs {
  @Field(() => String, { nullable: true, description: 'Name of the file; left out, that of the part.' })
  fileName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Folder that it is shown in, such as `/reports/2026`; left out or null, the root.',
  })
  path?: string | null;

  @Field(() => Upload, { description: 'The file itself.' })
  file: IncomingFile;
}

@ArgsType()
export class UpdateArtifactArgs {
  @Field(() => Base62Id, { description: 'Id of the file.' })
  artifactId: string;

  @Field(() => String, { nullable: true, description: 'Its new name, of the same type; null is refused.' })
  @Limits({ ...FILE_NAME_LIMITS, notNull: true })
  fileName?: string;

  @Field(() => String, { nullable: true, description: 'Its new folder; null moves it to the root.' })
  @Limits(FOLDER_LIMITS)
  path?: string | null;
}
