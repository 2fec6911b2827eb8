import { sqlText } from '../tables/duckdb.js';
import { CheckFault } from './check-fault.js';
import { finite } from './control-limits.js';
import { type InspectedColumn, textOf } from './inspected-columns.js';
import { type PlanCheck, shareOf } from './planned-check.js';
import type { RunSight } from './run-sight.js';
import { shownNumber } from './shown-number.js';
import { spellNumber } from './spell-number.js';
import type { ContractRule } from './table-contract.js';

/** Milliseconds by which the clock of a source may be ahead. */
const CLOCK_SKEW = 5 * 60_000;

export const planNullRate: PlanCheck = (sight, { column: name }) => {
  const { columns, rows } = sight;
  const column = name === undefined ? columns.require(name) : columns.find(name);
  if (!column) return { observe: () => shareOf(rows.rows, rows.rows, 'rows') };
  const lacking = sight.lacking(column);
  const culprits = { where: `${column.sql} is null`, columns: [column] };
  return { culprits, observe: () => shareOf(lacking(), rows.rows, 'rows') };
};

/** A value is looked up in a type made of the list, which takes as long for a thousand as for one. */
export const planAcceptedValues: PlanCheck = (sight, rule) => {
  // DuckDB ends a text of SQL at a NUL.
  const sound = (rule.values ?? []).filter((value) => !value.includes('\0'));
  const { type } = sight.columns.require(rule.column).field;
  const values = [...new Set(sound.map((value) => spellNumber(type, value)))];
  if (values.length === 0) throw new CheckFault('it has no values');
  const list = `enum(${values.map(sqlText).join(', ')})`;
  return shareOfValues(
    sight,
    rule,
    (column) => `${column.sql} is not null and try_cast(${textOf(column)} as ${list}) is null`,
  );
};

/** What is no number lies outside of any bounds. */
export const planRange: PlanCheck = (sight, rule) => {
  const { minimum, maximum } = rule;
  if (minimum === undefined && maximum === undefined) throw new CheckFault('it has no bounds');
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
  if (pattern === undefined) throw new CheckFault('it has no pattern');
  if (sight.faultyPatterns.has(pattern)) throw new CheckFault('its pattern is no regular expression of RE2');
  sight.columns.require(rule.column, ['text']);
  return shareOfValues(sight, rule, ({ sql }) => `not regexp_full_match(${sql}, ${sqlText(pattern)})`);
};

export const planFutureTimestamp: PlanCheck = (sight, rule) => {
  sight.columns.require(rule.column, ['time']);
  const micros = BigInt(sight.now.getTime() + CLOCK_SKEW) * 1000n;
  return shareOfValues(sight, rule, ({ sql, field }) =>
    field.type === 'DateTimeOffset' ? `epoch_us(${sql}) > ${micros}` : `${sql} > make_timestamp(${micros})`,
  );
};

export const planCursorMonotonic: PlanCheck = ({ columns, aggregates, previous }, { column: name }) => {
  const column = columns.require(name);
  const highest = aggregates.highest(column);
  const before = measureOf(previous?.highest, name);
  return {
    observe: () => {
      const now = highest();
      if (now === undefined) return { detail: 'there are no values' };
      if (before === undefined) return NO_RUN_BEFORE;
      const observed = finite(now - before);
      return { observed, detail: `the highest value is ${movement(observed, column)} that of the run before` };
    },
  };
};

function movement(difference: number, { kind }: InspectedColumn): string {
  if (difference === 0) return 'equal to';
  const size = shownNumber(Math.abs(difference)) + (kind === 'time' ? ' seconds' : '');
  return `${size} ${difference < 0 ? 'below' : 'above'}`;
}

export const planDistinctDrop: PlanCheck = ({ columns, aggregates, previous }, { column: name }) => {
  const distinct = aggregates.distinct(columns.require(name));
  const before = measureOf(previous?.distinct, name);
  return {
    observe: () => {
      const now = distinct() ?? 0;
      if (!before) return NO_RUN_BEFORE;
      return { observed: Math.max(0, before - now) / before, detail: `from about ${before} values to ${now}` };
    },
  };
};

const NO_RUN_BEFORE = { detail: 'there are no values of a run before' };

function shareOfValues(
  { columns: known, aggregates }: RunSight,
  rule: ContractRule,
  conditionOf: (column: InspectedColumn) => string,
) {
  const shown = known.require(rule.column);
  const culprits = { where: conditionOf(shown), columns: [shown], shown };
  const [present, failing] = [aggregates.present(shown), aggregates.where(culprits.where, culprits.columns)];
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
