import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { Base62Id } from '../../kernel/ids.js';
import { SigmaMethod, SpcRule } from './spc-rule.js';
import { ContractRule, ContractSeries, RunScope } from './table-contract.js';

const MAX_CONTRACT_COLUMNS = 4_096;
const MAX_KEY_COLUMNS = 32;

export const MAX_SERIES_OR_RULES = 200;

@InputType({ description: 'A required column.' })
export class ContractFieldInput {
  @Field({ description: 'Name of the column, 1 to 256 characters.' })
  @Limits({ minLength: 1, maxLength: 256 })
  name: string;

  @Field({
    description: 'Type: String, Boolean, Integer, Decimal, Double, Date, DateTime, DateTimeOffset, Time, UUID or JSON.',
  })
  type: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of decimal places of a Decimal, 0 to 38. Defaults to 0. Not allowed for other types.',
  })
  @Limits({ minimum: 0, maximum: 38 })
  scale?: number | null;
}

@InputType({ description: 'Required columns of a table.' })
export class ContractSchemaInput {
  @Field(() => [ContractFieldInput], {
    description: 'Required columns, at most 4,096. Names must be unique, ignoring case.',
  })
  @Limits({ maxItems: MAX_CONTRACT_COLUMNS })
  fields: ContractFieldInput[];
}

@InputType({ description: 'Changes to a contract. Omitted fields remain unchanged.' })
export class TableContractInput {
  @Field(() => Base62Id, { description: 'Id of the contract.' })
  id: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Version of the contract that the change is based on. If omitted, the service does not compare versions.',
  })
  version?: number | null;

  @Field(() => ContractSchemaInput, { nullable: true, description: 'Required columns.' })
  schema?: ContractSchemaInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the table may have columns that `schema` does not name. If false, `schema` must name all columns of the table.',
  })
  allowsNewColumns?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Columns that together identify a record, at most 32. An empty list means no key.',
  })
  @Limits({ maxItems: MAX_KEY_COLUMNS })
  primaryKey?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Column with the time of a record, of type Date, DateTime or DateTimeOffset. Null clears it.',
  })
  timestampColumn?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Columns whose values never appear in results. Both contracts of the table share this list. If a change adds a column to the list, the service removes the values of the column from stored results.',
  })
  @Limits({ maxItems: MAX_CONTRACT_COLUMNS })
  sensitiveColumns?: string[] | null;

  @Field(() => [ContractSeries], {
    nullable: true,
    description:
      'Metrics for control charts: at most 200, or 6,000 / `windowSize` if `windowSize` is above 30. Replaces the list.',
  })
  @Limits({ maxItems: MAX_SERIES_OR_RULES })
  series?: ContractSeries[] | null;

  @Field(() => [ContractRule], {
    nullable: true,
    description: 'Rules that the service checks for each run, at most 200. Replaces the list.',
  })
  @Limits({ maxItems: MAX_SERIES_OR_RULES })
  rules?: ContractRule[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of earlier points from which the control limits are computed, 5 to 200.',
  })
  @Limits({ minimum: 5, maximum: 200 })
  windowSize?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of earlier points that a chart needs before it reports violations, 2 to `windowSize`.',
  })
  @Limits({ minimum: 2 })
  minHistoryForViolation?: number | null;

  @Field(() => SigmaMethod, { nullable: true, description: 'Method to estimate the standard deviation.' })
  sigmaMethod?: SigmaMethod | null;

  @Field(() => [SpcRule], {
    nullable: true,
    description: 'Optional rules to enable: NELSON_4, NELSON_7, NELSON_8 or WECO_4.',
  })
  @Limits({ maxItems: 4 })
  extraSpcRules?: SpcRule[] | null;

  @Field(() => RunScope, {
    nullable: true,
    description: 'What counts as a run of pushed records. Allowed only for contracts with the scope `tap`.',
  })
  runScope?: RunScope | null;
}

@ArgsType()
export class ContractPreviewArgs {
  @Field(() => TableContractInput, { description: 'Changes to the contract.' })
  input: TableContractInput;

  @Field(() => Int, { description: 'Maximum number of runs, 1 to 200.', defaultValue: 60 })
  @Limits({ minimum: 1, maximum: 200 })
  runs: number;
}

@ArgsType()
export class AcceptSpcLevelArgs {
  @Field(() => String, { description: '`seriesId` of the series.' })
  @Limits({ maxLength: 400 })
  seriesId: string;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time of the first point of the new level. Null withdraws the accepted level of the series, so that earlier points count again.',
  })
  from?: Date | null;
}
