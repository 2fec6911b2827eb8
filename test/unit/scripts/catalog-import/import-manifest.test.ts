import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatDraft } from '../../../../scripts/catalog-import/format-draft.js';
import { importDescription } from '../../../../scripts/catalog-import/import-description.js';
import { parseDefinition } from '../../../../src/catalog/definitions/read-definitions.js';
import { MANIFEST } from '../../../support/catalog/api-descriptions.js';

const folder = mkdtempSync(join(tmpdir(), 'taproot-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

function imported(manifest: string) {
  const file = join(folder, 'manifest.yaml');
  writeFileSync(file, manifest);
  return importDescription(file, 'acme');
}

const { vendor, notes } = imported(MANIFEST);
const [connector] = vendor.connectors ?? [];
const [orders, lines] = connector?.taps ?? [];

describe('a low-code manifest', () => {
  it('becomes a valid definition', () => {
    expect(parseDefinition(formatDraft(vendor, 'manifest.yaml'), 'acme.yaml').slug).toBe('acme');
  });

  it('gives the base URL with config fields, and the authenticator', () => {
    expect(connector).toMatchObject({
      addressingConfig: { host: '{shop}.acme.test', basePath: '/v1', variables: [{ name: 'shop' }] },
      supportedAuthStrategies: [{ type: 'bearer', verification: { url: '/orders' } }],
    });
  });

  it('gives the path, record path, primary key, schema, cursor and window of a stream', () => {
    expect(orders).toMatchObject({
      name: 'orders',
      responseExtraction: { primaryKey: 'id', responsePath: 'data.items' },
      schema: { properties: { id: { type: ['string', 'null'] }, updated_at: { format: 'date-time' } } },
      sync: { mode: 'incremental', incrementalParams: { sinceParam: 'since', sinceFormat: 'iso8601' } },
      transportOptions: [
        {
          pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'cursor' } },
          restConfig: { endpoint: '/orders', queryParams: { limit: 50 } },
        },
      ],
    });
  });

  it('gives a child tap for a substream', () => {
    expect(connector?.traversal?.edges).toMatchObject([
      { from: 'orders', to: 'lines', parentKeyField: 'id', templateVariable: 'orderId' },
    ]);
    expect(lines).toMatchObject({
      responseExtraction: { syntheticPrimaryKey: { fields: ['order_id', 'position'] } },
      transportOptions: [{ pagination: { type: 'offset' }, restConfig: { endpoint: '/orders/{orderId}/lines' } }],
    });
  });

  it('has a note for each setting that the draft omits', () => {
    expect(notes).toContain(
      'to do: manifest.yaml#/streams/1/transformations: tap lines: the draft omits transformations',
    );
  });

  it('with wrong types gives a draft or an error for the user', () => {
    for (const streams of ['text', '[null, 1]', '[{ retriever: 1 }]', "['#/streams/0']", '[{ $ref: "#/streams/0" }]'])
      expect(imported(`type: DeclarativeSource\nstreams: ${streams}`).vendor.slug).toBe('acme');
  });
});
