import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { InboundStrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { decodeId } from '../../../src/kernel/ids.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { filesFolderOf } from '../artifacts/stored-files.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  anInboundStrategy,
  aTap,
  aVendor,
  yamlOf,
} from '../catalog/definition-builders.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { queryField } from '../service/callers.js';
import { aService, type Client, type Reply, type TestService } from '../service/service.js';
import { aCatalogFolder, VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';

export const SENDER_SECRET = 'a shared secret of the sender and the tap';

const secret = { ...aConfigSchema({ secret: { type: 'string', secret: true } }), required: ['secret'] };

/** Maps a connector key to the verification of its senders. */
const STRATEGIES: Record<string, Partial<InboundStrategyDefinition>> = {
  open: {},
  greeted: { handshakeKind: 'echo_query_param' },
  token: { verificationType: 'shared_token', signatureHeader: 'X-Token', configSchema: secret },
  signed: {
    ...{ verificationType: 'hmac_sha256', configSchema: secret, signatureBase: '{id}.{timestamp}.{body}' },
    ...{ signatureHeader: 'X-Signature', timestampHeader: 'X-Timestamp', signatureFormat: { idHeader: 'X-Delivery' } },
  },
  body: {
    ...{ verificationType: 'hmac_sha256', configSchema: secret, signatureBase: '{body}' },
    signatureHeader: 'X-Signature',
  },
};
export type SenderKind = keyof typeof STRATEGIES;

export function senderDefinitions(): string {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
  };
  const connectors = Object.entries(STRATEGIES).map(([key, strategy]) =>
    aConnector({
      ...{ key, name: `Sender ${key}`, integrationClass: 'collector', protocolType: 'webhook' },
      ...{ defaultBaseUrl: undefined, supportedAuthStrategies: [] },
      inboundAuthStrategies: [anInboundStrategy({ key, ...strategy })],
      taps: [aTap({ name: 'events', schema, sync: { mode: 'push' }, transportOptions: [], dataKind: 'event' })],
    }),
  );
  const groupings = connectors.map(({ key, name }) => aGrouping({ slug: key, name, connector: key }));
  return yamlOf(aVendor({ slug: VENDOR_SLUG, name: 'Loopback', connectors, groupings }));
}

export async function anIngestService(
  env: Record<string, string> = {},
  log?: unknown,
  through?: (databaseUrl: string) => string,
): Promise<TestService> {
  const catalog = await aCatalogFolder(senderDefinitions());
  afterAll(() => catalog.remove());
  return aService({ CATALOG_DIR: catalog.folder, ...env }, log as never, through);
}

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export interface InboundTap {
  readonly tapId: string;
  readonly instance: Data;
  readonly token: string;
  readonly tokenId: string;
}

/**
 * Creates a connection with its tap and an ingest token. With `isConfigured: false`, the connection has no strategy and
 * no secret.
 */
export async function anInboundTap(owner: Client, kind: SenderKind, { isConfigured = true } = {}): Promise<InboundTap> {
  const { body } = await owner.request(`/api/vendors/platform-vendor-groupings/${VENDOR_SLUG}`);
  const {
    id: groupingId,
    connectorId,
    supportedInboundAuthStrategies,
  } = body.data.find((one: Data) => one.slug === kind);
  const config = STRATEGIES[kind]?.configSchema ? { authenticationConfig: { secret: SENDER_SECRET } } : {};
  const configured = { authenticationStrategyId: supportedInboundAuthStrategies[0].id, ...config };
  const offer = { groupingId, connectorId, ...(isConfigured && configured) };
  const { body: connected, text } = await owner.post('/api/connectors', offer);
  if (!connected.data) throw new Error(text);
  const query = 'query ($id: Base62Id!) { tenantConnectorTaps(instanceId: $id) { items { id } } }';
  const { items } = await queryField(owner, query, { id: connected.data.id });
  const tapId = items[0].id;
  const minted = await owner.post('/api/ingest-tokens', { tenantConnectorTapId: tapId });
  return { tapId, instance: connected.data, token: minted.body.data.token, tokenId: minted.body.data.ingestToken.id };
}

type Headers = Record<string, string>;

export function pushRecords(
  service: Pick<TestService, 'request'>,
  token: string,
  body: string | Buffer | object,
  headers: Headers = {},
): Promise<Reply> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const init = { method: 'POST', body: bytes as BodyInit, headers: { 'content-type': 'application/json', ...headers } };
  return service.request(`/ingest/${token}`, init);
}

/** Returns the headers of a delivery to the connector `signed`. `at` is in milliseconds since 1970. */
export function signedHeaders(
  body: string | Buffer,
  id: string,
  { at = Date.now(), secret = SENDER_SECRET }: { at?: number; secret?: string } = {},
): Headers {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('hex');
  return { 'x-signature': signature, 'x-timestamp': timestamp, 'x-delivery': id };
}

/** Returns the headers of a delivery to the connector `body`, which requires a signature of the body alone. */
export function signedBodyHeaders(body: string | Buffer): Headers {
  return { 'x-signature': createHmac('sha256', SENDER_SECRET).update(body).digest('hex') };
}

/** Reads the live files of the tap's table. Times are strings. */
export async function storedRecords(
  service: { databaseUrl: string; dataDir: string },
  tapId: string,
  kind: 'data' | 'rejects' = 'data',
): Promise<Data[]> {
  const files = await queryAsOwner(
    service,
    `select file.tenant_id, table_id, file.id from table_file file join catalog_table on catalog_table.id = table_id
     where tap_id = $1 and kind = $2 and state = 'live'`,
    [decodeId(tapId), kind],
  );
  if (files.length === 0) return [];
  const paths = files.map(({ tenant_id, table_id, id }) =>
    sqlText(join(filesFolderOf(service), 'tables', tenant_id, table_id, kind, `${id}.parquet`)),
  );
  const duckdb = new DuckDb({ folder: service.dataDir });
  const list = `read_parquet([${paths.join(', ')}], union_by_name = true)`;
  return duckdb.rows(`select * from ${list} order by _received_at, _batch, _row`).finally(() => duckdb.close());
}
