import type { SpcSeriesKind } from '../catalog/tap-quality-config.js';
import { FIELD_TYPES } from '../csv/data-schema.js';
import { faultOf } from '../kernel/limits.js';
import type { TableSchema } from '../tables/table-schema.js';
import { ColumnKnowledge, refuse, requireDifferent } from './column-knowledge.js';
import { GATE_OF } from './quality-check.js';
import { type ColumnTypes, NUMBERS, RULE_BOUNDS, RULE_NEEDS, type RuleSetting, TIMES } from './rule-needs.js';
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
export const SERIES_COLUMNS: Readonly<Record<SpcSeriesKind, ColumnTypes | undefined>> = {
  TABLE_ROW_COUNT: undefined,
  TABLE_BYTES: undefined,
  TABLE_FRESHNESS_SECONDS: undefined,
  COLUMN_NULL_RATE: 'any',
  COLUMN_DISTINCT_COUNT: 'any',
  COLUMN_MEAN: NUMBERS,
};

const ON_REQUEST: readonly SpcRule[] = ['NELSON_4', 'NELSON_7', 'NELSON_8', 'WECO_4'];

/** Points of the past that one result is weighed against. */
const MOST_POINTS = 6_000;

const SETTINGS = Object.keys(RULE_BOUNDS) as RuleSetting[];

/**
 * Throws BAD_REQUEST, with the place, where a contract cannot be kept to by any table of these columns. `named` are those that the other contract of the table
 * names, with which it shares the sensitive ones.
 */
export function checkContract(terms: ContractTerms, actual: TableSchema, named: TableSchema = { fields: [] }): void {
  checkSchema(terms, actual);
  const columns = new ColumnKnowledge(terms.schema, actual);
  columns.requireAll('primaryKey', terms.primaryKey);
  const all = { fields: [...named.fields, ...actual.fields] };
  new ColumnKnowledge(terms.schema, all).requireAll('sensitiveColumns', terms.sensitiveColumns);
  if (terms.timestampColumn != null) columns.require('timestampColumn', terms.timestampColumn, TIMES);
  for (const [at, series] of terms.series.entries()) checkSeries(`series[${at}]`, series, columns);
  requireDifferent('series', terms.series, seriesKeyOf);
  limitSeries('series', terms.series, terms);
  for (const [at, rule] of terms.rules.entries()) checkRule(`rules[${at}]`, rule, terms, columns);
  requireDifferent('rules', terms.rules, ruleKeyOf);
  if (terms.minHistoryForViolation > terms.windowSize)
    refuse('minHistoryForViolation', `must be ${terms.windowSize} or less, which is the windowSize`);
  for (const [at, rule] of terms.extraSpcRules.entries())
    if (!ON_REQUEST.includes(rule)) refuse(`extraSpcRules[${at}]`, `must be one of ${ON_REQUEST.join(', ')}`);
  requireDifferent('extraSpcRules', terms.extraSpcRules, (rule) => rule);
  if (terms.scope === 'data' && terms.runScope !== 'landing') refuse('runScope', 'is for the scope tap alone');
}

/** Throws BAD_REQUEST where a series is about a column and should not be, or the other way round. */
export function checkSeries(place: string, { kind, column }: ContractSeries, columns: ColumnKnowledge): void {
  checkColumn(place, kind, column, SERIES_COLUMNS[kind], columns);
}

/** Throws BAD_REQUEST where there are more series than a result can be weighed by. */
export function limitSeries(
  place: string,
  { length }: readonly unknown[],
  { windowSize }: Pick<ContractTerms, 'windowSize'>,
): void {
  const most = mostSeries(windowSize);
  if (length > most) refuse(place, `must be ${most} or fewer where the windowSize is ${windowSize}`);
}

export function mostSeries(windowSize: number): number {
  return Math.floor(MOST_POINTS / windowSize);
}

function checkSchema({ schema: { fields }, allowsNewColumns }: ContractTerms, actual: TableSchema): void {
  for (const [at, { type, scale }] of fields.entries()) {
    const place = `schema.fields[${at}]`;
    if (!FIELD_TYPES.includes(type)) refuse(`${place}.type`, `must be one of ${FIELD_TYPES.join(', ')}`);
    if (scale !== undefined && type !== 'Decimal') refuse(`${place}.scale`, 'is for a Decimal alone');
  }
  requireDifferent('schema.fields', fields, ({ name }) => name.toLowerCase());
  if (allowsNewColumns) return;
  const named = new Set(fields.map(({ name }) => name));
  const isComplete = fields.length > 0 && actual.fields.every(({ name }) => named.has(name));
  if (!isComplete) refuse('schema.fields', 'must name all columns of the table where allowsNewColumns is false');
}

function checkRule(place: string, rule: ContractRule, terms: ContractTerms, columns: ColumnKnowledge): void {
  const { type, column } = rule;
  const { must = [], may = [], oneOf = [], bounds = {}, needsKey, ...needs } = RULE_NEEDS[type];
  if (terms.scope === 'data' && GATE_OF[type] === 'GATE_1')
    refuse(`${place}.type`, `${type} judges rows before they come in, so it is for the scope tap alone`);
  if (needsKey && terms.primaryKey.length === 0) refuse(`${place}.type`, `${type} needs a primaryKey`);
  checkColumn(place, type, column, needs.column, columns);
  for (const setting of SETTINGS) {
    const value = rule[setting];
    if (value === undefined && must.includes(setting)) refuse(`${place}.${setting}`, `${type} needs it`);
    if (value !== undefined && ![...must, ...may].includes(setting))
      refuse(`${place}.${setting}`, `${type} does not take it`);
    const fault = faultOf(value, bounds[setting] ?? RULE_BOUNDS[setting]);
    if (fault) refuse(`${place}.${setting}`, fault);
  }
  if (oneOf.length > 0 && oneOf.every((setting) => rule[setting] === undefined))
    refuse(place, `${type} needs ${oneOf.join(' or ')}`);
  if (rule.minimum !== undefined && rule.maximum !== undefined && rule.minimum > rule.maximum)
    refuse(`${place}.minimum`, 'is more than the maximum');
}

function checkColumn(
  place: string,
  what: string,
  column: string | undefined,
  types: ColumnTypes | undefined,
  columns: ColumnKnowledge,
): void {
  if (types === undefined && column !== undefined) refuse(`${place}.column`, `${what} is about no column`);
  if (types === undefined) return;
  if (column === undefined) refuse(`${place}.column`, `${what} needs it`);
  columns.require(`${place}.column`, column, types);
}
