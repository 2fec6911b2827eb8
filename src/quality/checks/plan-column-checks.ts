import { sqlText } from '../../tables/duckdb.js';
import type { ContractRule } from '../contracts/table-contract.js';
import { clampFinite } from '../spc/control-limits.js';
import { formatNumber } from '../spc/format-number.js';
import { canonicalizeNumber } from './canonicalize-number.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import { columnTextSql, type InspectedColumn } from './inspected-columns.js';
import { type PlanCheck, shareOf } from './planned-check.js';

/** Maximum time by which a source's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

export const planNullRate: PlanCheck = (context, { column: name }) => {
  const { columns, rows } = context;
  const column = name === undefined ? columns.require(name) : columns.find(name);
  if (!column) return { observe: () => shareOf(rows.rows, rows.rows, 'rows') };
  const nulls = context.countNulls(column);
  const violatingRows = { where: `${column.sql} is null`, columns: [column] };
  return { violatingRows, observe: () => shareOf(nulls(), rows.rows, 'rows') };
};

/** Casts values to an enum, because a lookup in an enum takes the same time for any number of accepted values. */
export const planAcceptedValues: PlanCheck = (context, rule) => {
  // DuckDB ends SQL text at a NUL.
  const usable = (rule.values ?? []).filter((value) => !value.includes('\0'));
  const { type } = context.columns.require(rule.column).field;
  const values = [...new Set(usable.map((value) => canonicalizeNumber(type, value)))];
  if (values.length === 0) throw new CheckError('the rule has no values');
  const list = `enum(${values.map(sqlText).join(', ')})`;
  return shareOfValues(
    context,
    rule,
    (column) => `${column.sql} is not null and try_cast(${columnTextSql(column)} as ${list}) is null`,
  );
};

/** NaN is outside every range. */
export const planRange: PlanCheck = (context, rule) => {
  const { minimum, maximum } = rule;
  if (minimum === undefined && maximum === undefined) throw new CheckError('the rule has neither minimum nor maximum');
  context.columns.require(rule.column, ['number']);
  return shareOfValues(context, rule, ({ sql, field }) =>
    [
      ...(minimum === undefined ? [] : [`${sql} < ${sqlNumber(minimum)}`]),
      ...(maximum === undefined ? [] : [`${sql} > ${sqlNumber(maximum)}`]),
      ...(field.type === 'Double' ? [`isnan(${sql})`] : []),
    ].join(' or '),
  );
};

/** RE2 runs in linear time for every pattern. */
export const planPattern: PlanCheck = (context, rule) => {
  const { pattern } = rule;
  if (pattern === undefined) throw new CheckError('the rule has no pattern');
  if (context.invalidPatterns.has(pattern)) throw new CheckError('the pattern is not a valid RE2 regular expression');
  context.columns.require(rule.column, ['text']);
  return shareOfValues(context, rule, ({ sql }) => `not regexp_full_match(${sql}, ${sqlText(pattern)})`);
};

export const planFutureTimestamp: PlanCheck = (context, rule) => {
  context.columns.require(rule.column, ['time']);
  const micros = BigInt(context.now.getTime() + CLOCK_SKEW_MS) * 1000n;
  return shareOfValues(context, rule, ({ sql, field }) =>
    field.type === 'DateTimeOffset' ? `epoch_us(${sql}) > ${micros}` : `${sql} > make_timestamp(${micros})`,
  );
};

export const planCursorMonotonic: PlanCheck = ({ columns, aggregates, previous }, { column: name }) => {
  const column = columns.require(name);
  const highest = aggregates.maxValue(column);
  const before = measureOf(previous?.highest, name);
  return {
    observe: () => {
      const now = highest();
      if (now === undefined) return { detail: 'no values' };
      if (before === undefined) return NO_PREVIOUS_RUN;
      const observed = clampFinite(now - before);
      return {
        observed,
        detail: `the highest value is ${describeDifference(observed, column)} the highest value of the previous run`,
      };
    },
  };
};

function describeDifference(difference: number, { kind }: InspectedColumn): string {
  if (difference === 0) return 'equal to';
  const size = formatNumber(Math.abs(difference)) + (kind === 'time' ? ' seconds' : '');
  return `${size} ${difference < 0 ? 'below' : 'above'}`;
}

export const planDistinctDrop: PlanCheck = ({ columns, aggregates, previous }, { column: name }) => {
  const distinct = aggregates.approximateDistinct(columns.require(name));
  const before = measureOf(previous?.distinct, name);
  return {
    observe: () => {
      const now = distinct() ?? 0;
      if (!before) return NO_PREVIOUS_RUN;
      return { observed: Math.max(0, before - now) / before, detail: `from about ${before} to ${now} values` };
    },
  };
};

const NO_PREVIOUS_RUN = { detail: 'there is no previous run with a value' };

function shareOfValues(
  { columns: known, aggregates }: CheckContext,
  rule: ContractRule,
  conditionOf: (column: InspectedColumn) => string,
) {
  const shown = known.require(rule.column);
  const violatingRows = { where: conditionOf(shown), columns: [shown], shown };
  const present = aggregates.countPresent(shown);
  const failing = aggregates.countWhere(violatingRows.where, violatingRows.columns);
  return { violatingRows, observe: () => shareOf(failing() ?? 0, present() ?? 0, 'values') };
}

/** Ignores inherited properties, because a column may have the name `constructor`. */
function measureOf(
  measures: Readonly<Record<string, number>> | undefined,
  name: string | undefined,
): number | undefined {
  return name !== undefined && measures && Object.hasOwn(measures, name) ? measures[name] : undefined;
}

function sqlNumber(value: number): string {
  return `cast(${sqlText(String(value))} as DOUBLE)`;
}
