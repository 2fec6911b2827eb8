import type { TapDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const BROKEN: BrokenDefinition[] = [
  ['lookback-has-a-cursor', 'lookbackSeconds with a full read', synced({ mode: 'full', lookbackSeconds: 60 }), '60 '],
  ['lookback-has-a-cursor', 'a negative lookback', synced({ lookbackSeconds: -1 }), '-1 '],
  ['order-has-a-field', 'sortOrder without cursorField', synced({ sortOrder: 'descending' }), 'descending '],
  ['filter-has-a-cursor', 'filterByCursor without cursorField', synced({ filterByCursor: true }), 'true '],
  [
    'filter-has-a-cursor',
    'filterByCursor with a full read',
    synced({ mode: 'full', cursorField: 'updated_at', filterByCursor: true }),
    'true ',
  ],
  [
    'filter-has-one-window',
    'a filter that reads the list once per window',
    synced({ cursorField: 'updated_at', filterByCursor: true, incrementalParams: { windowUnit: 'month' } }),
    'true ',
  ],
  [
    'windows-have-one-size',
    'two sizes of windows',
    synced({ incrementalParams: { windowUnit: 'month', maxWindowDays: 30 } }),
    'month ',
  ],
  ['windows-have-a-length', 'windows of zero days', synced({ incrementalParams: { maxWindowDays: 0 } }), '0 '],
  ['cursor-age-has-a-cursor', 'maxCursorAgeDays of a full read', synced({ mode: 'full', maxCursorAgeDays: 30 }), '30'],
  ['cursor-age-has-a-cursor', 'maxCursorAgeDays of zero', synced({ maxCursorAgeDays: 0 }), '0'],
  ['bootstrap-lists-all', 'bootstrapTap with a missing tap', synced({ bootstrapTap: 'none' }), 'none '],
  [
    'bootstrap-lists-all',
    'bootstrapTap with maxLookbackDays',
    withConnector({
      taps: [
        aTap(),
        aTap({ name: 'changes', sync: { mode: 'incremental', bootstrapTap: 'issues', maxLookbackDays: 3 } }),
      ],
    }),
    'issues maxLookbackDays',
  ],
  ['bootstrap-lists-all', 'bootstrapTap with the tap itself', synced({ bootstrapTap: 'issues' }), 'issues '],
  [
    'lookahead-has-a-cursor',
    'a lookahead without cursorField',
    synced({ incrementalParams: { defaultLookaheadDays: 30 } }),
    'defaultLookaheadDays',
  ],
  [
    'lookahead-replaces-records',
    'a lookahead without a primary key',
    synced({ cursorField: 'start', incrementalParams: { defaultLookaheadDays: 30 } }, { responseExtraction: {} }),
    'defaultLookaheadDays',
  ],
  [
    'lookahead-replaces-records',
    'a lookahead of events',
    synced({ cursorField: 'start', incrementalParams: { maxLookaheadDays: 30 } }, { dataKind: 'event' }),
    'maxLookaheadDays',
  ],
  [
    'lookahead-is-limited',
    'a default above the maximum',
    synced({ cursorField: 'start', incrementalParams: { defaultLookaheadDays: 30, maxLookaheadDays: 7 } }),
    'defaultLookaheadDays',
  ],
  [
    'granularity-has-a-window',
    'granularity with a full read',
    synced({ mode: 'full', incrementalParams: { granularity: 'day' } }),
    'day ',
  ],
];

const VALID: ValidDefinition[] = [
  [
    'records with future dates',
    synced({ cursorField: 'start', incrementalParams: { defaultLookaheadDays: 30, maxLookaheadDays: 365 } }),
  ],
  [
    'events with future dates whose table has a history',
    synced(
      { cursorField: 'start', tableMode: 'history', incrementalParams: { maxLookaheadDays: 30 } },
      { dataKind: 'event' },
    ),
  ],
  [
    'a bootstrap from a list',
    withConnector({
      taps: [aTap(), aTap({ name: 'changes', sync: { mode: 'incremental', bootstrapTap: 'issues' } })],
    }),
  ],
  [
    'windows of months with a lookback and newest records first',
    synced({
      cursorField: 'updated_at',
      sortOrder: 'descending',
      lookbackSeconds: 0,
      incrementalParams: { windowUnit: 'month', granularity: 'day' },
    }),
  ],
  ['a filter of the service', synced({ cursorField: 'updated_at', filterByCursor: true })],
  ['an unordered full read', synced({ mode: 'full', sortOrder: 'none' })],
];

describeRules('windows of a tap', ['sync-rules'], BROKEN, VALID);

function synced(sync: Partial<TapSync>, more: Partial<TapDefinition> = {}): VendorDefinition {
  return withConnector({ taps: [aTap({ sync: { mode: 'incremental', ...sync }, ...more })] });
}
