import { Field } from 'type-graphql';
import { Required, Shape } from '../kernel/columns.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading.js';
import { TableQualityResult } from './table-quality-result.js';
import { TableSpcResult } from './table-spc-result.js';

const VERSION = 'Changes when a result comes in, is replaced or leaves, and not otherwise.';

@Shape('The latest control charts by each contract of the workspace catalog.')
export class TableSpcResults {
  @Field(() => [TableSpcResult], { description: 'The oldest table first, and of a table by scope.' })
  results: Lean<TableSpcResult>[];

  @Required(VERSION)
  resultsVersion: string;

  @Required('The workspace.', () => Base62Id)
  tenantId: string;
}

@Shape('The latest checks by each contract of the workspace catalog.')
export class TableQualityResults {
  @Field(() => [TableQualityResult], { description: 'The oldest table first, and of a table by scope.' })
  results: Lean<TableQualityResult>[];

  @Required(VERSION)
  resultsVersion: string;

  @Required('The workspace.', () => Base62Id)
  tenantId: string;
}
