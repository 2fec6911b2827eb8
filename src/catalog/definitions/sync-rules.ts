import { looksAhead } from '../model/lookahead.js';
import { defaultModeOf, isMergedMode } from '../model/table-mode.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

type Check = readonly [isBroken: boolean, at: DefinitionPath, rule: string, message: string];

export function checkSyncRules({ taps }: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return taps.flatMap((tap, index) =>
    checksOf(tap, taps)
      .filter(([isBroken]) => isBroken)
      .map(([, at, rule, message]) => ({
        path: [...path, 'taps', index, 'sync', ...at],
        rule,
        message: `${tap.name}: ${message}`,
      })),
  );
}

function checksOf(tap: TapDefinition, taps: readonly TapDefinition[]): Check[] {
  const { name, sync } = tap;
  const list = taps.find((other) => other.name === sync.bootstrapTap);
  const {
    mode,
    cursorField,
    incrementalParams = {},
    lookbackSeconds,
    filterByCursor,
    sortOrder,
    maxCursorAgeDays,
  } = sync;
  const { windowUnit, maxWindowDays, granularity, defaultLookaheadDays, maxLookaheadDays } = incrementalParams;
  const isWindowed = windowUnit !== undefined || maxWindowDays !== undefined;
  const isIncremental = mode === 'incremental';
  return [
    [
      lookbackSeconds !== undefined && (!isIncremental || lookbackSeconds < 0),
      ['lookbackSeconds'],
      'lookback-has-a-cursor',
      'lookbackSeconds requires sync mode incremental and must not be negative',
    ],
    [
      sortOrder !== undefined && sortOrder !== 'none' && !cursorField,
      ['sortOrder'],
      'order-has-a-field',
      'sortOrder requires cursorField',
    ],
    [
      filterByCursor === true && (!isIncremental || !cursorField),
      ['filterByCursor'],
      'filter-has-a-cursor',
      'filterByCursor requires sync mode incremental and cursorField',
    ],
    [
      filterByCursor === true && isWindowed,
      ['filterByCursor'],
      'filter-has-one-window',
      'filterByCursor cannot be combined with maxWindowDays or windowUnit, because the service would read the whole list for each window',
    ],
    [
      windowUnit !== undefined && maxWindowDays !== undefined,
      ['incrementalParams', 'windowUnit'],
      'windows-have-one-size',
      'windowUnit and maxWindowDays cannot be combined',
    ],
    [
      maxWindowDays !== undefined && maxWindowDays < 1,
      ['incrementalParams', 'maxWindowDays'],
      'windows-have-a-length',
      'maxWindowDays must be at least 1',
    ],
    [
      sync.bootstrapTap !== undefined &&
        (!isIncremental || list?.sync.mode !== 'full' || list.name === name || sync.maxLookbackDays !== undefined),
      ['bootstrapTap'],
      'bootstrap-lists-all',
      'bootstrapTap requires sync mode incremental without maxLookbackDays, and must name a tap with sync mode full',
    ],
    [
      maxCursorAgeDays !== undefined && (!isIncremental || maxCursorAgeDays < 1),
      ['maxCursorAgeDays'],
      'cursor-age-has-a-cursor',
      'maxCursorAgeDays requires sync mode incremental, and must be at least 1',
    ],
    [
      (defaultLookaheadDays !== undefined || maxLookaheadDays !== undefined) && (!isIncremental || !cursorField),
      ['incrementalParams'],
      'lookahead-has-a-cursor',
      'defaultLookaheadDays and maxLookaheadDays require sync mode incremental and cursorField',
    ],
    [
      // Each run reads the records with future dates again. In mode `append`, the service recognizes at most 10,000 of
      // them as already stored, and appends all others a second time.
      looksAhead(sync) && !isMergedMode(defaultModeOf(tap)),
      ['incrementalParams'],
      'lookahead-replaces-records',
      'defaultLookaheadDays and maxLookaheadDays require a primary key, and the table mode upsert or history',
    ],
    [
      (defaultLookaheadDays ?? 0) < 0 ||
        (maxLookaheadDays ?? 0) < 0 ||
        (defaultLookaheadDays ?? 0) > (maxLookaheadDays ?? Number.POSITIVE_INFINITY),
      ['incrementalParams'],
      'lookahead-is-limited',
      'defaultLookaheadDays and maxLookaheadDays must not be negative, and the default must not exceed the maximum',
    ],
    [
      granularity !== undefined && !isIncremental,
      ['incrementalParams', 'granularity'],
      'granularity-has-a-window',
      'granularity requires sync mode incremental',
    ],
  ];
}
