import type { ConnectorTap } from '../catalog/connector-tap.js';
import type { SpcConfig } from '../catalog/tap-quality-config.js';
import type { FieldType } from '../csv/data-schema.js';
import type { Lean } from '../kernel/reading.js';
import type { TableField, TableSchema } from '../tables/table-schema.js';
import { mostSeries, SERIES_COLUMNS } from './check-contract.js';
import { QualityCheck } from './quality-check.js';
import { type ColumnTypes, RULE_BOUNDS, RULE_NEEDS } from './rule-needs.js';
import { ruleKeyOf, seriesKeyOf } from './series-key.js';
import { MOST_WATCHED } from './table-contract.inputs.js';
import type { ContractRule, ContractScope, TableContract } from './table-contract.js';

/** What a tap is known to bring. */
export interface TapFacts {
  /** The columns of its table. */
  readonly schema: TableSchema;
  /** None of one that was published from a file. */
  readonly definition?:
    | Pick<
        Lean<ConnectorTap>,
        'identityDirectory' | 'qualityConfig' | 'responseExtraction' | 'retentionPolicy' | 'schema' | 'sync'
      >
    | undefined;
  readonly hasConnection: boolean;
}

export type DefaultContract = Pick<
  TableContract,
  'schema' | 'primaryKey' | 'sensitiveColumns' | 'series' | 'rules' | 'windowSize' | 'minHistoryForViolation'
>;

const WINDOW = { least: 5, most: 200, usual: 30 };
const HISTORY = { least: 2, usual: 14 };

const DAY = 86_400;
/** Days without new rows that pass. */
const FRESH_DAYS = { least: 1, most: 3_650, usual: 7 };

/** They may hold names and addresses. */
const TEXTS: ReadonlySet<FieldType> = new Set(['String', 'JSON']);

/** What is expected of a table as long as nobody has said it, from the definition of its tap. */
export function defaultContract(scope: ContractScope, facts: TapFacts): DefaultContract {
  const { schema, definition } = facts;
  const spc = definition?.qualityConfig?.spc ?? {};
  const primaryKey = primaryKeyOf(facts);
  const sensitive = schema.fields.filter(({ name, type }) => TEXTS.has(type) && !primaryKey.includes(name));
  const window = windowOf(spc);
  const { series, rules } = scope === 'tap' ? ofArrivals(facts, primaryKey) : ofTable(facts);
  return {
    ...{ schema, primaryKey, ...window },
    sensitiveColumns: definition?.identityDirectory ? sensitive.map(({ name }) => name) : [],
    series: series.slice(0, Math.min(MOST_WATCHED, mostSeries(window.windowSize))),
    rules: rules.slice(0, MOST_WATCHED),
  };
}

type Watched = Pick<DefaultContract, 'series' | 'rules'>;

function ofArrivals(facts: TapFacts, primaryKey: readonly string[]): Watched {
  const { rules = [], spc } = facts.definition?.qualityConfig ?? {};
  const columns = columnsMeant(facts, primaryKey);
  const always: ContractRule[] = [{ type: 'schema_columns' }, { type: 'schema_types' }];
  // Not primary_key_null, which would keep out all records of a batch for one of them.
  for (const column of primaryKey) always.push({ type: 'null_rate', column });
  const asked = rules.flatMap(({ type, maxRate }): ContractRule[] => {
    if (!isKnown(type) || (RULE_NEEDS[type].needsKey && primaryKey.length === 0)) return [];
    const settings = settingsOf(type, maxRate, facts);
    return settings
      ? eachColumn(RULE_NEEDS[type].column, columns).map((column) => ({ type, ...column, ...settings }))
      : [];
  });
  const kinds = spc?.trackedSeries ?? ['TABLE_ROW_COUNT'];
  const series = kinds.flatMap((kind) =>
    eachColumn(SERIES_COLUMNS[kind], columns).map((column) => ({ kind, ...column })),
  );
  return { rules: onceEach([...asked, ...always], ruleKeyOf), series: onceEach(series, seriesKeyOf) };
}

/** How many rows and bytes a table has is not followed by itself: of one that only grows each point would be out of bounds. */
function ofTable(facts: TapFacts): Watched {
  const rules: ContractRule[] = facts.hasConnection ? [{ type: 'freshness', maxSeconds: freshSeconds(facts) }] : [];
  return { rules, series: [{ kind: 'TABLE_FRESHNESS_SECONDS' }] };
}

/** A key that has to be made of several fields is not there in records that are pushed: nobody has made it. */
function primaryKeyOf({ schema, definition }: TapFacts): string[] {
  const { primaryKey, syntheticPrimaryKey } = definition?.responseExtraction ?? {};
  if (syntheticPrimaryKey && definition?.sync.mode === 'push') return [];
  const known = [primaryKey, syntheticPrimaryKey?.outputField].find((name) =>
    schema.fields.some((field) => field.name === name),
  );
  return known === undefined ? [] : [known];
}

/** What a rule is about that names no column: those that each record has to have. */
function columnsMeant({ schema, definition }: TapFacts, primaryKey: readonly string[]): TableField[] {
  const { required } = definition?.schema ?? {};
  const named = Array.isArray(required) ? schema.fields.filter(({ name }) => required.includes(name)) : [];
  return named.length > 0 ? named : schema.fields.filter(({ name }) => primaryKey.includes(name));
}

/** One for each column of such a type; one without, of what is about no column. */
function eachColumn(types: ColumnTypes | undefined, columns: readonly TableField[]): { column?: string }[] {
  if (types === undefined) return [{}];
  return columns.filter(({ type }) => types === 'any' || types.includes(type)).map(({ name }) => ({ column: name }));
}

function isKnown(type: string): type is QualityCheck {
  return Object.hasOwn(QualityCheck, type);
}

/** What a rule of a definition says; undefined where the check has to know more than that. */
function settingsOf(
  type: QualityCheck,
  rate: number | undefined,
  facts: TapFacts,
): Pick<ContractRule, 'maxRate' | 'maxSeconds'> | undefined {
  const { must = [], may = [], oneOf = [], bounds } = RULE_NEEDS[type];
  const { minimum = 0, maximum = 1 } = bounds?.maxRate ?? RULE_BOUNDS.maxRate;
  const takesRate = rate !== undefined && [...must, ...may].includes('maxRate');
  const said: Pick<ContractRule, 'maxRate' | 'maxSeconds'> = {
    ...(takesRate && { maxRate: bounded(rate, minimum, maximum) }),
    ...(must.includes('maxSeconds') && { maxSeconds: freshSeconds(facts) }),
  };
  const isEnough = must.every((setting) => Object.hasOwn(said, setting)) && oneOf.length === 0;
  return isEnough ? said : undefined;
}

function freshSeconds({ definition }: TapFacts): number {
  const days = definition?.retentionPolicy?.alertThresholdDays ?? FRESH_DAYS.usual;
  return bounded(days, FRESH_DAYS.least, FRESH_DAYS.most) * DAY;
}

function windowOf(spc: SpcConfig): Pick<DefaultContract, 'windowSize' | 'minHistoryForViolation'> {
  const windowSize = bounded(spc.windowSize ?? WINDOW.usual, WINDOW.least, WINDOW.most);
  const wanted = spc.minHistoryForViolation ?? HISTORY.usual;
  return { windowSize, minHistoryForViolation: bounded(wanted, HISTORY.least, windowSize) };
}

function bounded(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The first of each key. */
function onceEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keys = items.map(keyOf);
  return items.filter((_, at) => keys.indexOf(keys[at] as string) === at);
}
