import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { FIELD_TYPES } from '../../csv/model/data-schema.js';
import { findBoundsFault } from '../../kernel/entities/field-limits.js';
import type { TableSchema } from '../../tables/table-schema.js';
import { KnownColumns, rejectField, requireUnique } from './known-columns.js';
import { GATE_BY_CHECK } from './quality-check.js';
import {
  type ColumnTypes,
  NUMERIC_TYPES,
  RULE_BOUNDS,
  RULE_REQUIREMENTS,
  type RuleSetting,
  TEMPORAL_TYPES,
} from './rule-requirements.js';
import { ruleKeyOf, seriesKeyOf } from './series-key.js';
import type { SpcRule } from './spc-rule.js';
import type { ContractRule, ContractSeries, TableContract } from './table-contract.js';

export type ContractTerms = Pick<
  TableContract,
  | 'scope'
  | 'schema'
  | 'allowsNewColumns'
  | 'primaryKey'
  | 'sensitiveColumns'
  | 'series'
  | 'rules'
  | 'windowSize'
  | 'minHistoryForViolation'
  | 'sigmaMethod'
  | 'extraSpcRules'
  | 'runScope'
> & { timestampColumn?: string | null };

/** Undefined for a series without a column. */
export const SERIES_COLUMN_TYPES: Readonly<Record<SpcSeriesKind, ColumnTypes | undefined>> = {
  TABLE_ROW_COUNT: undefined,
  TABLE_BYTES: undefined,
  TABLE_FRESHNESS_SECONDS: undefined,
  COLUMN_NULL_RATE: 'any',
  COLUMN_DISTINCT_COUNT: 'any',
  COLUMN_MEAN: NUMERIC_TYPES,
};

const OPT_IN_SPC_RULES: readonly SpcRule[] = ['NELSON_4', 'NELSON_7', 'NELSON_8', 'WECO_4'];

/** Maximum number of points that the service reads to evaluate one result. */
const MAX_HISTORY_POINTS = 6_000;

const RULE_SETTINGS = Object.keys(RULE_BOUNDS) as RuleSetting[];

/**
 * Throws BAD_REQUEST with the path of the first invalid field. `otherContract` is the schema of the table's
 * other contract. Its columns may be sensitive columns, even if the table lacks them.
 */
export function validateContract(
  terms: ContractTerms,
  actual: TableSchema,
  otherContract: TableSchema = { fields: [] },
): void {
  validateContractSchema(terms, actual);
  const columns = new KnownColumns(terms.schema, actual);
  columns.requireAll('primaryKey', terms.primaryKey);
  const all = { fields: [...otherContract.fields, ...actual.fields] };
  new KnownColumns(terms.schema, all).requireAll('sensitiveColumns', terms.sensitiveColumns);
  if (terms.timestampColumn != null) columns.require('timestampColumn', terms.timestampColumn, TEMPORAL_TYPES);
  for (const [at, series] of terms.series.entries()) validateSeries(`series[${at}]`, series, columns);
  requireUnique('series', terms.series, 'kind and column', seriesKeyOf);
  validateSeriesCount('series', terms.series, terms);
  for (const [at, rule] of terms.rules.entries()) validateRule(`rules[${at}]`, rule, terms, columns);
  requireUnique('rules', terms.rules, 'type and column', ruleKeyOf);
  if (terms.minHistoryForViolation > terms.windowSize)
    rejectField('minHistoryForViolation', `must not exceed windowSize (${terms.windowSize})`);
  for (const [at, rule] of terms.extraSpcRules.entries())
    if (!OPT_IN_SPC_RULES.includes(rule))
      rejectField(`extraSpcRules[${at}]`, `must be one of ${OPT_IN_SPC_RULES.join(', ')}`);
  requireUnique('extraSpcRules', terms.extraSpcRules, 'value', (rule) => rule);
  if (terms.scope === 'data' && terms.runScope !== 'landing')
    rejectField('runScope', 'must be "landing" for a contract with the scope "data"');
}

/** Throws BAD_REQUEST if the column is missing, unknown, of an unsupported type, or not allowed for the kind. */
export function validateSeries(place: string, { kind, column }: ContractSeries, columns: KnownColumns): void {
  validateColumn(place, kind, column, SERIES_COLUMN_TYPES[kind], columns);
}

/** Throws BAD_REQUEST if the evaluation would read more than `MAX_HISTORY_POINTS`. */
export function validateSeriesCount(
  place: string,
  { length }: readonly unknown[],
  { windowSize }: Pick<ContractTerms, 'windowSize'>,
): void {
  const limit = maxSeriesCount(windowSize);
  if (length > limit) rejectField(place, `must have at most ${limit} items if windowSize is ${windowSize}`);
}

export function maxSeriesCount(windowSize: number): number {
  return Math.floor(MAX_HISTORY_POINTS / windowSize);
}

function validateContractSchema({ schema: { fields }, allowsNewColumns }: ContractTerms, actual: TableSchema): void {
  for (const [at, { type, scale }] of fields.entries()) {
    const place = `schema.fields[${at}]`;
    if (!FIELD_TYPES.includes(type)) rejectField(`${place}.type`, `must be one of ${FIELD_TYPES.join(', ')}`);
    if (scale !== undefined && type !== 'Decimal') rejectField(`${place}.scale`, 'is allowed only for type Decimal');
  }
  requireUnique('schema.fields', fields, 'name (case-insensitive)', ({ name }) => name.toLowerCase());
  if (allowsNewColumns) return;
  const named = new Set(fields.map(({ name }) => name));
  const isComplete = fields.length > 0 && actual.fields.every(({ name }) => named.has(name));
  if (!isComplete) rejectField('schema.fields', 'must name all columns of the table if allowsNewColumns is false');
}

function validateRule(place: string, rule: ContractRule, terms: ContractTerms, columns: KnownColumns): void {
  const { type, column } = rule;
  const { must = [], may = [], oneOf = [], bounds = {}, needsKey, ...needs } = RULE_REQUIREMENTS[type];
  if (terms.scope === 'data' && GATE_BY_CHECK[type] === 'GATE_1')
    rejectField(
      `${place}.type`,
      `${type} requires the scope "tap", because this type checks rows before they are loaded`,
    );
  if (needsKey && terms.primaryKey.length === 0) rejectField(`${place}.type`, `${type} requires a primaryKey`);
  validateColumn(place, type, column, needs.column, columns);
  for (const setting of RULE_SETTINGS) {
    const value = rule[setting];
    if (value === undefined && must.includes(setting)) rejectField(`${place}.${setting}`, `is required for ${type}`);
    if (value !== undefined && ![...must, ...may].includes(setting))
      rejectField(`${place}.${setting}`, `is not allowed for ${type}`);
    const fault = findBoundsFault(value, bounds[setting] ?? RULE_BOUNDS[setting]);
    if (fault) rejectField(`${place}.${setting}`, fault);
  }
  if (oneOf.length > 0 && oneOf.every((setting) => rule[setting] === undefined))
    rejectField(place, `${type} requires ${oneOf.join(' or ')}`);
  if (rule.minimum !== undefined && rule.maximum !== undefined && rule.minimum > rule.maximum)
    rejectField(`${place}.minimum`, 'must not exceed maximum');
}

function validateColumn(
  place: string,
  kind: string,
  column: string | undefined,
  types: ColumnTypes | undefined,
  columns: KnownColumns,
): void {
  if (types === undefined && column !== undefined) rejectField(`${place}.column`, `is not allowed for ${kind}`);
  if (types === undefined) return;
  if (column === undefined) rejectField(`${place}.column`, `is required for ${kind}`);
  columns.require(`${place}.column`, column, types);
}
