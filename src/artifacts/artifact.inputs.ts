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
    description: 'Returns only files directly in this folder. `/` is the root.',
  })
  @Limits(FOLDER_LIMITS)
  path?: string | null;
}

/** The fields have no `@Limits`, because `validateArtifactLocation` checks them and throws its own error code. */
@ArgsType()
export class UploadArtifactArgs {
  @Field(() => String, { nullable: true, description: 'File name. Defaults to the file name in the uploaded part.' })
  fileName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Folder of the file, such as `/reports/2026`. Defaults to the root.',
  })
  path?: string | null;

  @Field(() => Upload, { description: 'Content of the file.' })
  file: IncomingFile;
}

@ArgsType()
export class UpdateArtifactArgs {
  @Field(() => Base62Id, { description: 'Id of the file.' })
  artifactId: string;

  @Field(() => String, {
    nullable: true,
    description:
      'New file name. The service rejects a name with the extension of a different file type. It also rejects null.',
  })
  @Limits({ ...FILE_NAME_LIMITS, notNull: true })
  fileName?: string;

  @Field(() => String, { nullable: true, description: 'New folder. Null moves the file to the root.' })
  @Limits(FOLDER_LIMITS)
  path?: string | null;
}
