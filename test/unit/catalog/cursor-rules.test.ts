import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { IncrementalParams, TapSync } from '../../../src/catalog/model/tap-sync.js';
import { aTap, type BrokenDefinition, withConnector } from '../../support/catalog/definition-builders.js';
import { describeRules, type ValidDefinition } from '../../support/catalog/describe-rules.js';

const WINDOWS = { sinceParam: 'since', untilParam: 'until' };
const RESTART = { afterRecords: 10, keyField: 'id', bodyPath: 'filter' };

const BROKEN: BrokenDefinition[] = [
  [
    'cursor-is-cut-from-link',
    'cursorLinkParam without a cursor',
    paged({ cursor: { cursorLinkParam: 'cursor' } }),
    'cursor ',
  ],
  [
    'cursor-is-cut-from-link',
    'cursorLinkParam with cursorIsFullUrl',
    paged({ cursor: { cursorPath: 'next', cursorLinkParam: 'after', cursorIsFullUrl: true } }),
    'after ',
  ],
  [
    'cursor-object-is-whole',
    'an object as one parameter',
    paged({ cursor: { cursorPath: 'continue', cursorIsObject: true, cursorParam: 'c' } }),
    'true ',
  ],
  [
    'cursor-number-is-in-header',
    'a number in the query string',
    paged({ cursor: { cursorHeader: 'Next', cursorIsNumber: true, cursorParam: 'c' } }),
    'true ',
  ],
  ['page-location-exists', 'an offset in a header', paged({ offset: { paramLocation: 'header' } }), 'header'],
  [
    'restart-has-records',
    'a restart after zero records',
    paged({ restart: { afterRecords: 0, keyField: 'id', bodyPath: 'filter' } }),
    '0 ',
  ],
  ['result-cap-has-windows', 'a result cap without windows', paged({ maxRecords: 10 }), '10 '],
  ['result-cap-has-windows', 'a result cap without an end', capped({ sinceParam: 'since' }), '10 '],
  ['result-cap-has-records', 'a result cap of zero', capped(WINDOWS, { maxRecords: 0 }), '0 '],
  ['result-cap-is-one', 'a result cap with a restart', capped(WINDOWS, { restart: RESTART }), '10 '],
  [
    'cursor-can-expire',
    'a cursor expiry on a tap without a cursor',
    synced({ mode: 'full', onCursorExpired: { statusCode: 410 } }),
    'statusCode: 410 ',
  ],
  [
    'expiry-is-recognizable',
    'an expression without values',
    synced({ mode: 'incremental', onCursorExpired: { statusCode: 410, jmesPath: 'error' } }),
    'statusCode: 410 ',
  ],
  [
    'expiry-is-recognizable',
    'values without an expression',
    synced({ mode: 'incremental', onCursorExpired: { statusCode: 410, values: ['gone'] } }),
    'statusCode: 410 ',
  ],
];

const VALID: ValidDefinition[] = [
  ['a result cap with windows', capped(WINDOWS)],
  ['a result cap with a query', capped({ queryParam: 'q', queryTemplate: 'at:{since}..{until}' })],
  ['a cursor that is an object', paged({ cursor: { cursorPath: 'continue', cursorIsObject: true } })],
  [
    'a number in a header',
    paged({ cursor: { cursorHeader: 'Next', cursorIsNumber: true, cursorBodyPath: 'first_row' } }),
  ],
  ['a cursor from a link in a header', paged({ cursor: { cursorHeader: 'Next', cursorLinkParam: 'c' } })],
  ['page numbers in the body', paged({ pageNumber: { paramLocation: 'body' } })],
  [
    'a cursor from the URL of the next page',
    paged({ cursor: { cursorPath: 'next', cursorLinkParam: 'cursor', cursorParam: 'cursor' } }),
  ],
  [
    'a restart of a search',
    paged({
      cursor: { cursorPath: 'next', cursorBodyPath: 'after' },
      restart: { afterRecords: 10_000, keyField: 'id', bodyPath: 'filters[1].value' },
    }),
  ],
  [
    'an expiry by status and code',
    synced({ mode: 'incremental', onCursorExpired: { statusCode: 410, jmesPath: 'error', values: ['gone'] } }),
  ],
];

describeRules('a tap with a cursor', ['cursor-rules'], BROKEN, VALID);

function capped(incrementalParams: IncrementalParams, pagination: Partial<Pagination> = {}): VendorDefinition {
  return paged({ maxRecords: 10, ...pagination }, { mode: 'incremental', incrementalParams });
}

function paged(pagination: Omit<Pagination, 'type'>, sync: TapSync = { mode: 'full' }): VendorDefinition {
  const option = {
    apiType: 'rest',
    restConfig: {},
    pagination: { type: 'cursor', cursor: {}, ...pagination },
  } as const;
  return withConnector({ taps: [aTap({ sync, transportOptions: [option] })] });
}

function synced(sync: TapSync): VendorDefinition {
  return withConnector({ taps: [aTap({ sync })] });
}
