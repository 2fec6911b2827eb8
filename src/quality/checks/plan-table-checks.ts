import type { TableField } from '../../tables/table-schema.js';
import { newestRecordAge } from './newest-record-age.js';
import { countOf, type PlanCheck, shareOf } from './planned-check.js';

const MAX_NAMED_COLUMNS = 5;

export const planSchemaColumns: PlanCheck = ({ rows, expected }) => {
  const missing = without(expected.schema.fields, rows.schema.fields);
  const unexpected = expected.allowsNewColumns ? [] : without(rows.schema.fields, expected.schema.fields);
  const detail = [...listOf('missing', missing), ...listOf('unexpected', unexpected)].join('; ') || 'none';
  return { observe: () => ({ observed: missing.length + unexpected.length, detail }) };
};

export const planSchemaTypes: PlanCheck = ({ rows, expected }) => {
  const found = new Map(rows.schema.fields.map((field) => [field.name, formatType(field)]));
  const changed = expected.schema.fields.flatMap((field) => {
    const [wanted, type] = [formatType(field), found.get(field.name)];
    return type === undefined || type === wanted ? [] : [`${quote(field.name)} is ${type}, not ${wanted}`];
  });
  const detail = changed.length === 0 ? 'none' : shorten(changed);
  return { observe: () => ({ observed: changed.length, detail }) };
};

export const planParseFailures: PlanCheck = ({ rows }) => ({
  observe: () => shareOf(rows.rejectedRows, rows.rows + rows.rejectedRows, 'rows'),
});

export const planRowCountMin: PlanCheck = ({ rows }) => ({ observe: () => countOf(rows.rows, 'rows') });

export const planRowCountDelta: PlanCheck = ({ rows, previous }) => ({
  observe: () => changeOf(rows.rows, previous?.rows, Math.abs),
});

export const planDeletionRate: PlanCheck = ({ rows, previous }) => ({
  observe: () => changeOf(rows.rows, previous?.rows, decreaseOf),
});

/** Fewer missing records than this are normal in a small table. They fail the check only if the new read is empty. */
const MIN_MISSING_RECORDS = 5;

export const planMissingRate: PlanCheck = ({ rows }) => ({
  observe: () => {
    if (!rows.missingRecords) return { detail: 'the run is not a full read, or the table had no rows before' };
    const { missing, of } = rows.missingRecords;
    const detail = `${missing} of ${of} records`;
    const isFew = missing < MIN_MISSING_RECORDS && (rows.rows > 0 || missing < of);
    return isFew
      ? { observed: 0, detail: `${detail}; fewer than ${MIN_MISSING_RECORDS} count as 0` }
      : { observed: missing / of, detail };
  },
});

export const planFreshness: PlanCheck = (context) => {
  const age = newestRecordAge(context);
  return {
    observe: () => {
      const observed = age();
      return observed === undefined ? { detail: 'no rows' } : { observed, detail: 'seconds' };
    },
  };
};

export const planPrimaryKeyUnique: PlanCheck = ({ aggregates, identity, expected, rows }) => {
  if (expected.primaryKey.length === 0) return NO_PRIMARY_KEY;
  const repeated = identity.countDuplicates(aggregates, rows.rows);
  return { violatingRows: 'repeated', observe: () => countOf(repeated() ?? 0, `of ${rows.rows} rows`) };
};

export const planPrimaryKeyNull: PlanCheck = ({ aggregates, identity, expected, rows }) => {
  if (expected.primaryKey.length === 0) return NO_PRIMARY_KEY;
  const complete = identity.countComplete(aggregates, rows.rows);
  const violatingRows = { where: `not (${identity.complete})`, columns: identity.columns };
  return { violatingRows, observe: () => countOf(rows.rows - (complete() ?? 0), `of ${rows.rows} rows`) };
};

export const planDuplicateRate: PlanCheck = ({ aggregates, identity, rows }) => {
  const repeated = identity.countDuplicates(aggregates, rows.rows);
  return { violatingRows: 'repeated', observe: () => shareOf(repeated() ?? 0, rows.rows, 'rows') };
};

const NO_PRIMARY_KEY = { observe: () => ({ detail: 'the contract has no primary key' }) };

function changeOf(now: number, before: number | undefined, count: (difference: number) => number) {
  if (!before) return { detail: 'there is no previous run with rows' };
  return { observed: count(now - before) / before, detail: `from ${before} to ${now} rows` };
}

function decreaseOf(difference: number): number {
  return Math.max(0, -difference);
}

function without(fields: readonly TableField[], others: readonly TableField[]): string[] {
  const names = new Set(others.map(({ name }) => name));
  return fields.flatMap(({ name }) => (names.has(name) ? [] : [quote(name)]));
}

function listOf(word: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${word}: ${shorten(names)}`];
}

function shorten(items: readonly string[]): string {
  const more = items.length - MAX_NAMED_COLUMNS;
  return items.slice(0, MAX_NAMED_COLUMNS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function formatType({ type, scale }: TableField): string {
  return type === 'Decimal' ? `Decimal with ${scale ?? 0} decimal places` : type;
}

function quote(name: string): string {
  return `"${name}"`;
}
