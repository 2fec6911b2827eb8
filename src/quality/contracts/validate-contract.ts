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

/** What of a contract somebody may choose, and whom it is about. */
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

/** Of which types the column of a series may be; it is about none, where left out. */
export const SERIES_COLUMN_TYPES: Readonly<Record<SpcSeriesKind, ColumnTypes | undefined>> = {
  TABLE_ROW_COUNT: undefined,
  TABLE_BYTES: undefined,
  TABLE_FRESHNESS_SECONDS: undefined,
  COLUMN_NULL_RATE: 'any',
  COLUMN_DISTINCT_COUNT: 'any',
  COLUMN_MEAN: NUMERIC_TYPES,
};

const OPT_IN_SPC_RULES: readonly SpcRule[] = ['NELSON_4', 'NELSON_7', 'NELSON_8', 'WECO_4'];

/** Points of the past that one result is weighed against. */
const MAX_HISTORY_POINTS = 6_000;

const RULE_SETTINGS = Object.keys(RULE_BOUNDS) as RuleSetting[];

/**
 * Throws BAD_REQUEST, with the place, where a contract cannot be kept to by any table of these columns. `named` are those that the other contract of the table
 * names, with which it shares the sensitive ones.
 */
export function validateContract(terms: ContractTerms, actual: TableSchema, named: TableSchema = { fields: [] }): void {
  validateContractSchema(terms, actual);
  const columns = new KnownColumns(terms.schema, actual);
  columns.requireAll('primaryKey', terms.primaryKey);
  const all = { fields: [...named.fields, ...actual.fields] };
  new KnownColumns(terms.schema, all).requireAll('sensitiveColumns', terms.sensitiveColumns);
  if (terms.timestampColumn != null) columns.require('timestampColumn', terms.timestampColumn, TEMPORAL_TYPES);
  for (const [at, series] of terms.series.entries()) validateSeries(`series[${at}]`, series, columns);
  requireUnique('series', terms.series, seriesKeyOf);
  validateSeriesCount('series', terms.series, terms);
  for (const [at, rule] of terms.rules.entries()) validateRule(`rules[${at}]`, rule, terms, columns);
  requireUnique('rules', terms.rules, ruleKeyOf);
  if (terms.minHistoryForViolation > terms.windowSize)
    rejectField('minHistoryForViolation', `must be ${terms.windowSize} or less, which is the windowSize`);
  for (const [at, rule] of terms.extraSpcRules.entries())
    if (!OPT_IN_SPC_RULES.includes(rule))
      rejectField(`extraSpcRules[${at}]`, `must be one of ${OPT_IN_SPC_RULES.join(', ')}`);
  requireUnique('extraSpcRules', terms.extraSpcRules, (rule) => rule);
  if (terms.scope === 'data' && terms.runScope !== 'landing') rejectField('runScope', 'is for the scope tap alone');
}

/** Throws BAD_REQUEST where a series is about a column and should not be, or the other way round. */
export function validateSeries(place: string, { kind, column }: ContractSeries, columns: KnownColumns): void {
  validateColumn(place, kind, column, SERIES_COLUMN_TYPES[kind], columns);
}

/** Throws BAD_REQUEST where there are more series than a result can be weighed by. */
export function validateSeriesCount(
  place: string,
  { length }: readonly unknown[],
  { windowSize }: Pick<ContractTerms, 'windowSize'>,
): void {
  const most = maxSeriesCount(windowSize);
  if (length > most) rejectField(place, `must be ${most} or fewer where the windowSize is ${windowSize}`);
}

export function maxSeriesCount(windowSize: number): number {
  return Math.floor(MAX_HISTORY_POINTS / windowSize);
}

function validateContractSchema({ schema: { fields }, allowsNewColumns }: ContractTerms, actual: TableSchema): void {
  for (const [at, { type, scale }] of fields.entries()) {
    const place = `schema.fields[${at}]`;
    if (!FIELD_TYPES.includes(type)) rejectField(`${place}.type`, `must be one of ${FIELD_TYPES.join(', ')}`);
    if (scale !== undefined && type !== 'Decimal') rejectField(`${place}.scale`, 'is for a Decimal alone');
  }
  requireUnique('schema.fields', fields, ({ name }) => name.toLowerCase());
  if (allowsNewColumns) return;
  const named = new Set(fields.map(({ name }) => name));
  const isComplete = fields.length > 0 && actual.fields.every(({ name }) => named.has(name));
  if (!isComplete) rejectField('schema.fields', 'must name all columns of the table where allowsNewColumns is false');
}

function validateRule(place: string, rule: ContractRule, terms: ContractTerms, columns: KnownColumns): void {
  const { type, column } = rule;
  const { must = [], may = [], oneOf = [], bounds = {}, needsKey, ...needs } = RULE_REQUIREMENTS[type];
  if (terms.scope === 'data' && GATE_BY_CHECK[type] === 'GATE_1')
    rejectField(`${place}.type`, `${type} judges rows before they come in, so it is for the scope tap alone`);
  if (needsKey && terms.primaryKey.length === 0) rejectField(`${place}.type`, `${type} needs a primaryKey`);
  validateColumn(place, type, column, needs.column, columns);
  for (const setting of RULE_SETTINGS) {
    const value = rule[setting];
    if (value === undefined && must.includes(setting)) rejectField(`${place}.${setting}`, `${type} needs it`);
    if (value !== undefined && ![...must, ...may].includes(setting))
      rejectField(`${place}.${setting}`, `${type} does not take it`);
    const fault = findBoundsFault(value, bounds[setting] ?? RULE_BOUNDS[setting]);
    if (fault) rejectField(`${place}.${setting}`, fault);
  }
  if (oneOf.length > 0 && oneOf.every((setting) => rule[setting] === undefined))
    rejectField(place, `${type} needs ${oneOf.join(' or ')}`);
  if (rule.minimum !== undefined && rule.maximum !== undefined && rule.minimum > rule.maximum)
    rejectField(`${place}.minimum`, 'is more than the maximum');
}

function validateColumn(
  place: string,
  what: string,
  column: string | undefined,
  types: ColumnTypes | undefined,
  columns: KnownColumns,
): void {
  if (types === undefined && column !== undefined) rejectField(`${place}.column`, `${what} is about no column`);
  if (types === undefined) return;
  if (column === undefined) rejectField(`${place}.column`, `${what} needs it`);
  columns.require(`${place}.column`, column, types);
}
