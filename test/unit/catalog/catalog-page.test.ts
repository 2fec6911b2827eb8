import { describe, expect, it } from 'vitest';
import { buildCatalogPage } from '../../../scripts/catalog-page.js';
import { aConnector, anInboundStrategy, aStrategy, aTap, aVendor } from '../../support/catalog/definition-builders.js';

const checkedAt = '2026-01-31';
const vendor = aVendor({
  name: 'Acme Corp.',
  description: 'Things.',
  connectors: [
    aConnector({
      apiVersion: 'v1',
      rateLimits: { requestsPerSecond: 2, windows: [{ requests: 9, seconds: 60 }], resetHeader: 'X-Reset' },
      unverified: ['rateLimits'],
      supportedAuthStrategies: [
        aStrategy({
          sources: [
            { document: 'Guide', checkedAt: '2026-02-01' },
            { repository: 'acme/api', checkedAt },
          ],
          unverified: ['verification.url'],
        }),
      ],
      inboundAuthStrategies: [anInboundStrategy()],
      traversal: {
        rootTaps: ['issues'],
        edges: [{ from: 'issues', to: 'comments', parentKeyField: 'id', templateVariable: 'issue' }],
      },
      taps: [
        aTap({ sources: [{ document: 'Guide', checkedAt }], sync: { mode: 'incremental', cursorField: 'at' } }),
        aTap({ name: 'comments' }),
        aTap({ name: 'events', responseExtraction: {}, sync: { mode: 'push' }, transportOptions: [] }),
      ],
    }),
  ],
});

describe('the page of the catalog', () => {
  const lines = buildCatalogPage([vendor, aVendor({ name: 'Aardvark', connectors: [] })]).split('\n');

  it('counts the parts of each vendor, in the order of their names', () => {
    const start = lines.indexOf('|---|---|---|---|---|---|');
    expect(lines.slice(start + 1, start + 5)).toEqual([
      '| [Aardvark](#aardvark) | 0 | 0 | 0 | 0 | 0 |',
      '| [Acme Corp.](#acme-corp) | 1 | 2 | 2 | 1 | 1 |',
      '| 2 vendors | 1 | 2 | 2 | 1 | 1 |',
      '',
    ]);
  });

  it('shows limits, methods and taps, with the oldest check and the settings that no source confirms', () => {
    expect(lines.slice(lines.indexOf('## Acme Corp.'))).toEqual([
      '## Acme Corp.',
      '',
      'Things.',
      '',
      '### Acme API',
      '',
      '- API version: `v1`',
      '- Limits: 2 requests per second, 9 requests per 60 seconds, reset time in `X-Reset`; no sources; not confirmed: `rateLimits`',
      '',
      '| method | type | checked |',
      '|---|---|---|',
      '| Token | `bearer` | 2026-01-31, 2 sources; not confirmed: `verification.url` |',
      '| inbound | `none` | no sources |',
      '',
      '| tap | mode | key | cursor | read per | checked |',
      '|---|---|---|---|---|---|',
      '| `issues` | incremental | `id` | `at` |  | 2026-01-31, 1 source |',
      '| `comments` | full | `id` |  | `issues` | no sources |',
      '| `events` | push |  |  |  | no sources |',
      '',
    ]);
  });
});
