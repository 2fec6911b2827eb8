import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { SpcConfig } from '../../catalog/model/tap-quality-config.js';
import type { FieldType } from '../../csv/model/data-schema.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TableField, TableSchema } from '../../tables/table-schema.js';
import { QualityCheck } from './quality-check.js';
import { type ColumnTypes, RULE_BOUNDS, RULE_REQUIREMENTS } from './rule-requirements.js';
import { ruleKeyOf, seriesKeyOf } from './series-key.js';
import { MAX_SERIES_OR_RULES } from './table-contract.inputs.js';
import type { ContractRule, ContractScope, TableContract } from './table-contract.js';
import { maxSeriesCount, SERIES_COLUMN_TYPES } from './validate-contract.js';

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

const WINDOW_SIZE = { least: 5, most: 200, usual: 30 };
const MIN_HISTORY = { least: 2, usual: 14 };

const DAY_SECONDS = 86_400;
/** Days without new rows that pass. */
const FRESHNESS_DAYS = { least: 1, most: 3_650, usual: 7 };

/** They may hold names and addresses. */
const TEXT_TYPES: ReadonlySet<FieldType> = new Set(['String', 'JSON']);

/** What is expected of a table as long as nobody has said it, from the definition of its tap. */
export function defaultContract(scope: ContractScope, facts: TapFacts): DefaultContract {
  const { schema, definition } = facts;
  const spc = definition?.qualityConfig?.spc ?? {};
  const primaryKey = primaryKeyOf(facts);
  const sensitive = schema.fields.filter(({ name, type }) => TEXT_TYPES.has(type) && !primaryKey.includes(name));
  const window = windowOf(spc);
  const { series, rules } = scope === 'tap' ? monitoredOfTap(facts, primaryKey) : monitoredOfTable(facts);
  return {
    ...{ schema, primaryKey, ...window },
    sensitiveColumns: definition?.identityDirectory ? sensitive.map(({ name }) => name) : [],
    series: series.slice(0, Math.min(MAX_SERIES_OR_RULES, maxSeriesCount(window.windowSize))),
    rules: rules.slice(0, MAX_SERIES_OR_RULES),
  };
}

type MonitoredItems = Pick<DefaultContract, 'series' | 'rules'>;

function monitoredOfTap(facts: TapFacts, primaryKey: readonly string[]): MonitoredItems {
  const { rules = [], spc } = facts.definition?.qualityConfig ?? {};
  const columns = defaultColumns(facts, primaryKey);
  const always: ContractRule[] = [{ type: 'schema_columns' }, { type: 'schema_types' }];
  // Not primary_key_null, which would keep out all records of a batch for one of them.
  for (const column of primaryKey) always.push({ type: 'null_rate', column });
  const asked = rules.flatMap(({ type, maxRate }): ContractRule[] => {
    if (!isQualityCheck(type) || (RULE_REQUIREMENTS[type].needsKey && primaryKey.length === 0)) return [];
    const settings = settingsOf(type, maxRate, facts);
    return settings
      ? eachColumn(RULE_REQUIREMENTS[type].column, columns).map((column) => ({ type, ...column, ...settings }))
      : [];
  });
  const kinds = spc?.trackedSeries ?? ['TABLE_ROW_COUNT'];
  const series = kinds.flatMap((kind) =>
    eachColumn(SERIES_COLUMN_TYPES[kind], columns).map((column) => ({ kind, ...column })),
  );
  return { rules: uniqueByKey([...asked, ...always], ruleKeyOf), series: uniqueByKey(series, seriesKeyOf) };
}

/** How many rows and bytes a table has is not followed by itself: of one that only grows each point would be out of bounds. */
function monitoredOfTable(facts: TapFacts): MonitoredItems {
  const rules: ContractRule[] = facts.hasConnection
    ? [{ type: 'freshness', maxSeconds: maxFreshnessSeconds(facts) }]
    : [];
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
function defaultColumns({ schema, definition }: TapFacts, primaryKey: readonly string[]): TableField[] {
  const { required } = definition?.schema ?? {};
  const named = Array.isArray(required) ? schema.fields.filter(({ name }) => required.includes(name)) : [];
  return named.length > 0 ? named : schema.fields.filter(({ name }) => primaryKey.includes(name));
}

/** One for each column of such a type; one without, of what is about no column. */
function eachColumn(types: ColumnTypes | undefined, columns: readonly TableField[]): { column?: string }[] {
  if (types === undefined) return [{}];
  return columns.filter(({ type }) => types === 'any' || types.includes(type)).map(({ name }) => ({ column: name }));
}

function isQualityCheck(type: string): type is QualityCheck {
  return Object.hasOwn(QualityCheck, type);
}

/** What a rule of a definition says; undefined where the check has to know more than that. */
function settingsOf(
  type: QualityCheck,
  rate: number | undefined,
  facts: TapFacts,
): Pick<ContractRule, 'maxRate' | 'maxSeconds'> | undefined {
  const { must = [], may = [], oneOf = [], bounds } = RULE_REQUIREMENTS[type];
  const { minimum = 0, maximum = 1 } = bounds?.maxRate ?? RULE_BOUNDS.maxRate;
  const takesRate = rate !== undefined && [...must, ...may].includes('maxRate');
  const said: Pick<ContractRule, 'maxRate' | 'maxSeconds'> = {
    ...(takesRate && { maxRate: clamp(rate, minimum, maximum) }),
    ...(must.includes('maxSeconds') && { maxSeconds: maxFreshnessSeconds(facts) }),
  };
  const isEnough = must.every((setting) => Object.hasOwn(said, setting)) && oneOf.length === 0;
  return isEnough ? said : undefined;
}

function maxFreshnessSeconds({ definition }: TapFacts): number {
  const days = definition?.retentionPolicy?.alertThresholdDays ?? FRESHNESS_DAYS.usual;
  return clamp(days, FRESHNESS_DAYS.least, FRESHNESS_DAYS.most) * DAY_SECONDS;
}

function windowOf(spc: SpcConfig): Pick<DefaultContract, 'windowSize' | 'minHistoryForViolation'> {
  const windowSize = clamp(spc.windowSize ?? WINDOW_SIZE.usual, WINDOW_SIZE.least, WINDOW_SIZE.most);
  const wanted = spc.minHistoryForViolation ?? MIN_HISTORY.usual;
  return { windowSize, minHistoryForViolation: clamp(wanted, MIN_HISTORY.least, windowSize) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The first of each key. */
function uniqueByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keys = items.map(keyOf);
  return items.filter((_, at) => keys.indexOf(keys[at] as string) === at);
}
