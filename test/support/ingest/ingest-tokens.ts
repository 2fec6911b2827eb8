import { afterAll } from 'vitest';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { decodeId } from '../../../src/kernel/ids.js';
import { ReaderFactory } from '../../../src/kernel/reading/reader-factory.js';
import { queryAsOwner } from '../database/owner-queries.js';
import { loginTo } from '../database/runtime-role.js';
import type { Client, Reply, TestService } from '../service/service.js';

export const INGEST_TOKENS = '/api/ingest-tokens';

export function mintToken(client: Client, tenantConnectorTapId: string, more: object = {}): Promise<Reply> {
  return client.post(INGEST_TOKENS, { tenantConnectorTapId, ...more });
}

export interface MintedToken {
  readonly token: string;
  readonly endpointUrl: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  readonly ingestToken: any;
}

export async function aToken(client: Client, tapId: string, more: object = {}): Promise<MintedToken> {
  const { status, text, body } = await mintToken(client, tapId, more);
  if (status !== 200) throw new Error(text);
  return body.data;
}

export function rotateToken(client: Client, id: string): Promise<Reply> {
  return client.request(`${INGEST_TOKENS}/${id}/rotate`, { method: 'POST' });
}

export function revokeToken(client: Client, id: string): Promise<Reply> {
  return client.request(`${INGEST_TOKENS}/${id}`, { method: 'DELETE' });
}

export async function tokensOf(client: Client, tapId: string): Promise<MintedToken['ingestToken'][]> {
  const { body } = await client.request(`${INGEST_TOKENS}?tenantConnectorTapId=${tapId}&limit=250`);
  return body.data.items;
}

export async function updateTokenRow(service: TestService, id: string, assignment: string): Promise<void> {
  const rows = await queryAsOwner(service, `update ingest_token set ${assignment} where id = $1 returning id`, [
    decodeId(id),
  ]);
  if (rows.length !== 1) throw new Error('the token does not exist');
}

/** The readers use the runtime role and a separate pool. */
export function readersOf(service: TestService): () => Promise<ReaderFactory> {
  let orm: ReturnType<typeof createOrm> | undefined;
  afterAll(() => orm?.close());
  return async () => {
    orm ??= createOrm(loginTo(service).url);
    return new ReaderFactory(new EntityTables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
  };
}
