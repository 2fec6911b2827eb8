import { afterAll } from '@jest/globals';
import { decodeId } from '../../src/kernel/ids.js';
import { Readers } from '../../src/kernel/readers.js';
import { Tables } from '../../src/kernel/tables.js';
import { createOrm } from '../../src/orm.js';
import { rowsOf } from './rows.js';
import { loginTo } from './runtime-role.js';
import type { Client, Reply, TestService } from './service.js';

export const INGEST_TOKENS = '/api/ingest-tokens';

export function mint(client: Client, tenantConnectorTapId: string, more: object = {}): Promise<Reply> {
  return client.post(INGEST_TOKENS, { tenantConnectorTapId, ...more });
}

export interface MintedToken {
  readonly token: string;
  readonly endpointUrl: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any field
  readonly ingestToken: any;
}

/** What the minting of a token answers with. */
export async function aToken(client: Client, tapId: string, more: object = {}): Promise<MintedToken> {
  const { status, text, body } = await mint(client, tapId, more);
  if (status !== 200) throw new Error(text);
  return body.data;
}

export function rotate(client: Client, id: string): Promise<Reply> {
  return client.request(`${INGEST_TOKENS}/${id}/rotate`, { method: 'POST' });
}

export function revoke(client: Client, id: string): Promise<Reply> {
  return client.request(`${INGEST_TOKENS}/${id}`, { method: 'DELETE' });
}

/** The newest first. */
export async function tokensOf(client: Client, tapId: string): Promise<MintedToken['ingestToken'][]> {
  const { body } = await client.request(`${INGEST_TOKENS}?tenantConnectorTapId=${tapId}&limit=250`);
  return body.data.items;
}

/** Changes the row of a token, as time would. */
export async function setToken(service: TestService, id: string, assignment: string): Promise<void> {
  const rows = await rowsOf(service, `update ingest_token set ${assignment} where id = $1 returning id`, [
    decodeId(id),
  ]);
  if (rows.length !== 1) throw new Error('there is no such token');
}

/** What the door reads with, logged in as the service is, on a pool of its own. */
export function readersOf(service: TestService): () => Promise<Readers> {
  let orm: ReturnType<typeof createOrm> | undefined;
  afterAll(() => orm?.close());
  return async () => {
    orm ??= createOrm(loginTo(service).url);
    return new Readers(new Tables(orm.getMetadata()), await orm.em.getConnection().getNativeClient());
  };
}
