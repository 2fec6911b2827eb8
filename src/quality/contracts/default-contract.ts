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

export interface TapFacts {
  readonly schema: TableSchema;
  /** Undefined for a table that was published from a file. */
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
/** Days without new rows after which the freshness check fails. */
const FRESHNESS_DAYS = { least: 1, most: 3_650, usual: 7 };

/** If a larger share of the records is missing from a full read, the source has probably failed. */
const MAX_MISSING_RATE = 0.3;

/** Values of these types may contain personal data, such as names and addresses. */
const TEXT_TYPES: ReadonlySet<FieldType> = new Set(['String', 'JSON']);

export function defaultContract(scope: ContractScope, facts: TapFacts): DefaultContract {
  const { schema, definition } = facts;
  const spc = definition?.qualityConfig?.spc ?? {};
  const primaryKey = primaryKeyOf(facts);
  const sensitive = schema.fields.filter(({ name, type }) => TEXT_TYPES.has(type) && !primaryKey.includes(name));
  const window = windowOf(spc);
  const { series, rules } = scope === 'tap' ? monitoredOfTap(facts, primaryKey) : monitoredOfTable(facts);
  return {
    ...{ schema: withoutUnits(schema), primaryKey, ...window },
    sensitiveColumns: definition?.identityDirectory ? sensitive.map(({ name }) => name) : [],
    series: series.slice(0, Math.min(MAX_SERIES_OR_RULES, maxSeriesCount(window.windowSize))),
    rules: rules.slice(0, MAX_SERIES_OR_RULES),
  };
}

/** A contract requires only names and types. */
function withoutUnits({ fields }: TableSchema): TableSchema {
  return { fields: fields.map(({ unit: _, ...field }) => field) };
}

type MonitoredItems = Pick<DefaultContract, 'series' | 'rules'>;

function monitoredOfTap(facts: TapFacts, primaryKey: readonly string[]): MonitoredItems {
  const { rules = [], spc } = facts.definition?.qualityConfig ?? {};
  const columns = defaultColumns(facts, primaryKey);
  const always: ContractRule[] = [{ type: 'schema_columns' }, { type: 'schema_types' }];
  // Adds no primary_key_null check, because the gate would reject a whole batch for one record without a key.
  for (const column of primaryKey) always.push({ type: 'null_rate', column });
  if (facts.definition?.sync.mode === 'full') always.push({ type: 'missing_rate', maxRate: MAX_MISSING_RATE });
  const defined = rules.flatMap(({ type, maxRate }): ContractRule[] => {
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
  return { rules: uniqueByKey([...defined, ...always], ruleKeyOf), series: uniqueByKey(series, seriesKeyOf) };
}

/** Omits row and byte counts, because in a growing table every point would be out of control. */
function monitoredOfTable(facts: TapFacts): MonitoredItems {
  const rules: ContractRule[] = facts.hasConnection
    ? [{ type: 'freshness', maxSeconds: maxFreshnessSeconds(facts) }]
    : [];
  return { rules, series: [{ kind: 'TABLE_FRESHNESS_SECONDS' }] };
}

/** Pushed records do not contain synthetic keys, because only a sync computes them. */
function primaryKeyOf({ schema, definition }: TapFacts): string[] {
  const { primaryKey, syntheticPrimaryKey } = definition?.responseExtraction ?? {};
  if (syntheticPrimaryKey && definition?.sync.mode === 'push') return [];
  const known = [primaryKey, syntheticPrimaryKey?.outputField].find((name) =>
    schema.fields.some((field) => field.name === name),
  );
  return known === undefined ? [] : [known];
}

/**
 * Rules in a definition name no column. They apply to the required fields or, if there are none, to the primary key.
 */
function defaultColumns({ schema, definition }: TapFacts, primaryKey: readonly string[]): TableField[] {
  const { required } = definition?.schema ?? {};
  const named = Array.isArray(required) ? schema.fields.filter(({ name }) => required.includes(name)) : [];
  return named.length > 0 ? named : schema.fields.filter(({ name }) => primaryKey.includes(name));
}

/** Returns one entry without a column if the check takes no column. */
function eachColumn(types: ColumnTypes | undefined, columns: readonly TableField[]): { column?: string }[] {
  if (types === undefined) return [{}];
  return columns.filter(({ type }) => types === 'any' || types.includes(type)).map(({ name }) => ({ column: name }));
}

function isQualityCheck(type: string): type is QualityCheck {
  return Object.hasOwn(QualityCheck, type);
}

/** Returns undefined if the definition does not determine all settings that the check requires. */
function settingsOf(
  type: QualityCheck,
  rate: number | undefined,
  facts: TapFacts,
): Pick<ContractRule, 'maxRate' | 'maxSeconds'> | undefined {
  const { must = [], may = [], oneOf = [], bounds } = RULE_REQUIREMENTS[type];
  const { minimum = 0, maximum = 1 } = bounds?.maxRate ?? RULE_BOUNDS.maxRate;
  const takesRate = rate !== undefined && [...must, ...may].includes('maxRate');
  const settings: Pick<ContractRule, 'maxRate' | 'maxSeconds'> = {
    ...(takesRate && { maxRate: clamp(rate, minimum, maximum) }),
    ...(must.includes('maxSeconds') && { maxSeconds: maxFreshnessSeconds(facts) }),
  };
  const isEnough = must.every((setting) => Object.hasOwn(settings, setting)) && oneOf.length === 0;
  return isEnough ? settings : undefined;
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

function uniqueByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keys = items.map(keyOf);
  return items.filter((_, at) => keys.indexOf(keys[at] as string) === at);
}
