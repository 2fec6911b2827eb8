import { sqlText } from '../../tables/duckdb.js';
import type { ContractRule } from '../contracts/table-contract.js';
import { clampFinite } from '../spc/control-limits.js';
import { formatNumber } from '../spc/format-number.js';
import { canonicalizeNumber } from './canonicalize-number.js';
import type { CheckContext } from './check-context.js';
import { CheckError } from './check-error.js';
import { columnTextSql, type InspectedColumn } from './inspected-columns.js';
import { type PlanCheck, shareOf } from './planned-check.js';

/** Milliseconds by which the clock of a source may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

export const planNullRate: PlanCheck = (sight, { column: name }) => {
  const { columns, rows } = sight;
  const column = name === undefined ? columns.require(name) : columns.find(name);
  if (!column) return { observe: () => shareOf(rows.rows, rows.rows, 'rows') };
  const lacking = sight.countNulls(column);
  const culprits = { where: `${column.sql} is null`, columns: [column] };
  return { culprits, observe: () => shareOf(lacking(), rows.rows, 'rows') };
};

/** A value is looked up in a type made of the list, which takes as long for a thousand as for one. */
export const planAcceptedValues: PlanCheck = (sight, rule) => {
  // DuckDB ends a text of SQL at a NUL.
  const sound = (rule.values ?? []).filter((value) => !value.includes('\0'));
  const { type } = sight.columns.require(rule.column).field;
  const values = [...new Set(sound.map((value) => canonicalizeNumber(type, value)))];
  if (values.length === 0) throw new CheckError('it has no values');
  const list = `enum(${values.map(sqlText).join(', ')})`;
  return shareOfValues(
    sight,
    rule,
    (column) => `${column.sql} is not null and try_cast(${columnTextSql(column)} as ${list}) is null`,
  );
};

/** What is no number lies outside of any bounds. */
export const planRange: PlanCheck = (sight, rule) => {
  const { minimum, maximum } = rule;
  if (minimum === undefined && maximum === undefined) throw new CheckError('it has no bounds');
  sight.columns.require(rule.column, ['number']);
  return shareOfValues(sight, rule, ({ sql, field }) =>
    [
      ...(minimum === undefined ? [] : [`${sql} < ${sqlNumber(minimum)}`]),
      ...(maximum === undefined ? [] : [`${sql} > ${sqlNumber(maximum)}`]),
      ...(field.type === 'Double' ? [`isnan(${sql})`] : []),
    ].join(' or '),
  );
};

/** By RE2, which takes time in proportion to the text, whatever the pattern. */
export const planPattern: PlanCheck = (sight, rule) => {
  const { pattern } = rule;
  if (pattern === undefined) throw new CheckError('it has no pattern');
  if (sight.invalidPatterns.has(pattern)) throw new CheckError('its pattern is no regular expression of RE2');
  sight.columns.require(rule.column, ['text']);
  return shareOfValues(sight, rule, ({ sql }) => `not regexp_full_match(${sql}, ${sqlText(pattern)})`);
};

export const planFutureTimestamp: PlanCheck = (sight, rule) => {
  sight.columns.require(rule.column, ['time']);
  const micros = BigInt(sight.now.getTime() + CLOCK_SKEW_MS) * 1000n;
  return shareOfValues(sight, rule, ({ sql, field }) =>
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
      if (now === undefined) return { detail: 'there are no values' };
      if (before === undefined) return NO_PREVIOUS_RUN;
      const observed = clampFinite(now - before);
      return {
        observed,
        detail: `the highest value is ${describeDifference(observed, column)} that of the run before`,
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
      return { observed: Math.max(0, before - now) / before, detail: `from about ${before} values to ${now}` };
    },
  };
};

const NO_PREVIOUS_RUN = { detail: 'there are no values of a run before' };

function shareOfValues(
  { columns: known, aggregates }: CheckContext,
  rule: ContractRule,
  conditionOf: (column: InspectedColumn) => string,
) {
  const shown = known.require(rule.column);
  const culprits = { where: conditionOf(shown), columns: [shown], shown };
  const [present, failing] = [aggregates.countPresent(shown), aggregates.countWhere(culprits.where, culprits.columns)];
  return { culprits, observe: () => shareOf(failing() ?? 0, present() ?? 0, 'values') };
}

/** Of a name that may be that of something which each object has. */
function measureOf(
  measures: Readonly<Record<string, number>> | undefined,
  name: string | undefined,
): number | undefined {
  return name !== undefined && measures && Object.hasOwn(measures, name) ? measures[name] : undefined;
}

function sqlNumber(value: number): string {
  return `cast(${sqlText(String(value))} as DOUBLE)`;
}
