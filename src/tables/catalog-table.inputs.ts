import { ArgsType, Field, Int } from 'type-graphql';
import { Limits } from '../kernel/entities/field-limits.js';
import { DateTime } from '../kernel/entities/scalars.js';
import { Base62Id } from '../kernel/ids.js';
import { PageArgs } from '../kernel/reading/paging.js';
import { TableFileKind } from './table-file.js';

const VERSION = { description: 'Number of a version of the table. Defaults to the current version.', nullable: true };
const AS_OF = {
  description: 'Selects the version that was current at this time. Cannot be combined with `version`.',
  nullable: true,
};

@ArgsType()
export class TableVersionsArgs extends PageArgs {
  @Field(() => Base62Id, { description: 'Id of the table.' })
  id: string;
}

@ArgsType()
export class TableFilesArgs extends TableVersionsArgs {
  @Field(() => Int, VERSION)
  version?: number | null;

  @Field(() => DateTime, AS_OF)
  asOf?: Date | null;
}

@ArgsType()
export class PreviewArgs {
  @Field(() => Int, { description: 'Maximum number of rows, 1 to 100.', defaultValue: 20 })
  @Limits({ minimum: 1, maximum: 100 })
  limit: number;

  @Field(() => Int, { description: 'Number of rows to skip, 0 to 10,000.', defaultValue: 0 })
  @Limits({ minimum: 0, maximum: 10_000 })
  offset: number;

  @Field(() => TableFileKind, {
    description: 'Kind of the rows to return. `keys` returns no rows.',
    defaultValue: 'data',
  })
  kind: TableFileKind;

  @Field(() => Int, VERSION)
  version?: number | null;

  @Field(() => DateTime, AS_OF)
  asOf?: Date | null;
}

@ArgsType()
export class TableRowsArgs extends PreviewArgs {
  @Field(() => Base62Id, { description: 'Id of the table.' })
  id: string;
}
