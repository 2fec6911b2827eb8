import { Field, InputType, Int } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { Base62Id } from '../../kernel/ids.js';
import { SigmaMethod, SpcRule } from './spc-rule.js';
import { ContractRule, ContractSeries, RunScope } from './table-contract.js';

/** Columns of a contract, or of its primary key. */
const MAX_CONTRACT_COLUMNS = 4_096;
const MAX_KEY_COLUMNS = 32;

/** Series of a contract, and rules of one. */
export const MAX_SERIES_OR_RULES = 200;

@InputType({ description: 'A column that has to be there.' })
export class ContractFieldInput {
  @Field({ description: '1 to 256 characters.' })
  @Limits({ minLength: 1, maxLength: 256 })
  name: string;

  @Field({
    description: 'String, Boolean, Integer, Decimal, Double, Date, DateTime, DateTimeOffset, Time, UUID or JSON.',
  })
  type: string;

  @Field(() => Int, { nullable: true, description: 'Decimal: digits behind the point, 0 to 38; 0 where left out.' })
  @Limits({ minimum: 0, maximum: 38 })
  scale?: number | null;
}

@InputType({ description: 'Columns that have to be there.' })
export class ContractSchemaInput {
  @Field(() => [ContractFieldInput], { description: 'Names differ by more than case.' })
  @Limits({ maxItems: MAX_CONTRACT_COLUMNS })
  fields: ContractFieldInput[];
}

@InputType({ description: 'What is to be expected of a table. What is left out stays as it is.' })
export class TableContractInput {
  @Field(() => Base62Id, { description: 'Id of the contract.' })
  id: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change was thought out for; any, where left out.',
  })
  version?: number | null;

  @Field(() => ContractSchemaInput, { nullable: true, description: 'Columns that have to be there.' })
  schema?: ContractSchemaInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether there may be columns that `schema` does not name; if not, it has to name all that the table has.',
  })
  allowsNewColumns?: boolean | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Columns that together name a record; [] where there are none.',
  })
  @Limits({ maxItems: MAX_KEY_COLUMNS })
  primaryKey?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Column that says how old a record is: a Date, DateTime or DateTimeOffset; null clears it.',
  })
  timestampColumn?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Columns whose values no result shows, of both contracts of the table. A column that is added takes the values out of the results that are kept.',
  })
  @Limits({ maxItems: MAX_CONTRACT_COLUMNS })
  sensitiveColumns?: string[] | null;

  @Field(() => [ContractSeries], {
    nullable: true,
    description: 'All that is to be followed: 200 series at the most, and 6,000 by `windowSize`.',
  })
  @Limits({ maxItems: MAX_SERIES_OR_RULES })
  series?: ContractSeries[] | null;

  @Field(() => [ContractRule], { nullable: true, description: 'All that is to be checked, 200 rules at the most.' })
  @Limits({ maxItems: MAX_SERIES_OR_RULES })
  rules?: ContractRule[] | null;

  @Field(() => Int, { nullable: true, description: 'Points that limits are computed from, 5 to 200.' })
  @Limits({ minimum: 5, maximum: 200 })
  windowSize?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Points that there have to be before a violation is told, 2 to `windowSize`.',
  })
  @Limits({ minimum: 2 })
  minHistoryForViolation?: number | null;

  @Field(() => SigmaMethod, { nullable: true, description: 'What limits are computed from.' })
  sigmaMethod?: SigmaMethod | null;

  @Field(() => [SpcRule], {
    nullable: true,
    description: 'Rules on request, of NELSON_4, NELSON_7, NELSON_8 and WECO_4.',
  })
  @Limits({ maxItems: 4 })
  extraSpcRules?: SpcRule[] | null;

  @Field(() => RunScope, { nullable: true, description: 'What a run is; of a contract of the scope `tap` alone.' })
  runScope?: RunScope | null;
}
