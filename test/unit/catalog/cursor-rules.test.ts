import { describe, expect, it } from 'vitest';
import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import {
  aTap,
  type BrokenDefinition,
  definitionFaultsOf,
  expectFault,
  rulesIn,
  withConnector,
  yamlOf,
} from '../../support/catalog/definition-builders.js';

const BROKEN: BrokenDefinition[] = [
  ['cursor-is-cut-from-link', 'a cursor out of no link', paged({ cursor: { cursorLinkParam: 'cursor' } }), 'cursor '],
  [
    'cursor-is-cut-from-link',
    'a cursor out of a link that is the next address itself',
    paged({ cursor: { cursorPath: 'next', cursorLinkParam: 'after', cursorIsFullUrl: true } }),
    'after ',
  ],
  [
    'restart-has-records',
    'a restart after no record',
    paged({ restart: { afterRecords: 0, keyField: 'id', bodyPath: 'filter' } }),
    '0 ',
  ],
  [
    'cursor-can-expire',
    'an expiry of a tap that has no cursor',
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
  [
    'expression-compiles',
    'an expression that is none',
    synced({ mode: 'incremental', onCursorExpired: { statusCode: 410, jmesPath: 'error[', values: ['gone'] } }),
    'error[ ',
  ],
];

const GOOD: [what: string, definition: VendorDefinition][] = [
  [
    'a cursor out of a link',
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

describe('a tap that reads on', () => {
  it.each(BROKEN)('breaks %s with %s', (rule, _, definition, at) => expectFault(definition, rule, at));

  it.each(GOOD)('may have %s', (_, definition) => expect(definitionFaultsOf(yamlOf(definition))).toEqual([]));

  it('breaks every rule in the sources somewhere in the table', () => {
    expect([...new Set(BROKEN.map(([rule]) => rule))].sort()).toEqual(rulesIn(['cursor-rules']));
  });
});

function paged(pagination: Omit<Pagination, 'type'>): VendorDefinition {
  const option = {
    apiType: 'rest',
    restConfig: {},
    pagination: { type: 'cursor', cursor: {}, ...pagination },
  } as const;
  return withConnector({ taps: [aTap({ transportOptions: [option] })] });
}

function synced(sync: TapSync): VendorDefinition {
  return withConnector({ taps: [aTap({ sync })] });
}
