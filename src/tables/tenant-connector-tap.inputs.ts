import { ArgsType, Field } from 'type-graphql';
import { OBJECT_NAME_BOUNDS } from '../catalog/model/object-tap.js';
import { DeletedRows, DriftPolicy, TapRunMode } from '../catalog/model/table-mode.js';
import { Limits, NAME_BOUNDS } from '../kernel/entities/field-limits.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
import { type ArtifactColumn, ColumnsField } from './artifact-column.js';

@ArgsType()
export class TenantConnectorTapsArgs extends PageArgs {
  @Field(() => Base62Id, { nullable: true, description: 'Returns only the taps of this connection.' })
  instanceId?: string | null;

  @Field(() => Boolean, {
    description: 'Whether to include deleted taps. Taps of deleted connections are never included.',
    defaultValue: false,
  })
  includeDeleted: boolean;
}

@ArgsType()
export class AddTenantConnectorTapArgs {
  @Field(() => Base62Id, { description: 'Id of the connection.' })
  instanceId: string;

  @Field(() => Base62Id, { description: 'Id of a tap of the connector.' })
  tapId: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the object at the source. Required for a tap that the service reads once per object, and not allowed for other taps.',
  })
  @Limits(OBJECT_NAME_BOUNDS)
  objectName?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether syncs read the tap, and whether the tap accepts pushed records. Defaults to true.',
  })
  @Limits({ notNull: true })
  enabled?: boolean;
}

@ArgsType()
export class UpdateTenantConnectorTapArgs {
  @Field(() => Base62Id, { description: 'Id of the tap.' })
  id: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether syncs read the tap, and whether the tap accepts pushed records.',
  })
  @Limits({ notNull: true })
  enabled?: boolean;

  @Field(() => TapRunMode, {
    nullable: true,
    description:
      'How records change the table, starting with the next run or push. Null selects the default of the definition.',
  })
  mode?: TapRunMode | null;

  @Field(() => DeletedRows, {
    nullable: true,
    description: 'In mode `upsert`, what happens to the rows of records that are deleted from now on.',
  })
  @Limits({ notNull: true })
  deletedRows?: DeletedRows;

  @Field(() => DriftPolicy, {
    nullable: true,
    description:
      'What happens to records with fields for which the table has no column. A change takes effect with the next step of a sync or the next push.',
  })
  @Limits({ notNull: true })
  driftPolicy?: DriftPolicy;

  @Field(() => Base62Id, {
    nullable: true,
    description:
      'Id of the tap whose table receives the records of this tap from now on. Null selects the tap that the definition names. If the definition names no tap, null selects the table of this tap.',
  })
  feedsTapId?: string | null;
}

@ArgsType()
export class PublishArtifactArgs {
  @Field(() => Base62Id, { description: 'Id of the file.' })
  artifactId: string;

  @Field(() => String, { description: 'Display name of the tap. The service derives the table name from this name.' })
  @Limits(NAME_BOUNDS)
  name: string;

  @ColumnsField(
    'Columns with a type that differs from the inferred type. The GraphQL query `checkArtifactColumns` returns items of this form in `columns.column`. The service stores the types in `dataSchema` of the file.',
  )
  columns?: ArtifactColumn[] | null;
}

@ArgsType()
export class CheckArtifactColumnsArgs {
  @Field(() => Base62Id, { description: 'Id of the file.' })
  artifactId: string;

  @ColumnsField(
    'Columns to check with a type that differs from the type in `dataSchema`. The service checks all other columns with their type in `dataSchema`.',
  )
  columns?: ArtifactColumn[] | null;
}
