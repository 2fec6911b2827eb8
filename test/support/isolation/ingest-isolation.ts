import { expect, it } from 'vitest';
import { newIngestToken } from '../../../src/ingest/ingest-token-text.js';
import { decodeId } from '../../../src/kernel/ids.js';
import type { TestService } from '../service/service.js';
import { type IsolationReply, sendRequest } from './isolation-calls.js';
import type { TenantRows } from './tenant-rows.js';
import type { IsolationWorkspace } from './workspace-fixtures.js';

interface IngestWorld {
  readonly service: TestService;
  readonly ours: () => IsolationWorkspace;
  readonly theirs: () => IsolationWorkspace;
  readonly rows: () => TenantRows;
  /** Returns the headers of a request by the owner of our workspace. */
  readonly ourOwner: () => Promise<Record<string, string>>;
  /** Returns secrets of the other workspace, if the response contains any. */
  readonly leaksOf: (reply: IsolationReply) => string[];
}

const uuid = ({ tenantId }: IsolationWorkspace): string => decodeId(tenantId) as string;

export function itIsolatesIngestTokens({ service, ours, theirs, rows, ourOwner, leaksOf }: IngestWorld): void {
  it('pushed records go to the tap of the token, whichever workspace the request names', async () => {
    const { make } = theirs();
    const tapId = await make.tables.publishedTap();
    const { id, token } = await make.tables.ingestToken(tapId);
    const host = `demo.${new URL(service.url.replace('127.0.0.1', 'localhost')).host}`;
    const before = [await rows().digests(uuid(ours())), await rows().ids('ingest_batch', uuid(theirs()))];
    const claims: Record<string, string>[] = [{ 'x-tenant': 'demo' }, { host }, { host, ...(await ourOwner()) }];
    for (const headers of claims) {
      const call = { method: 'post', path: `/ingest/${token}`, body: { id: make.text() } };
      const response = await sendRequest(service.url, call, headers);
      expect([response.data.accepted, leaksOf(response)]).toEqual([1, []]);
    }
    await make.tables.isUsed(id);
    const pushed = (await rows().ids('ingest_batch', uuid(theirs()))).length - (before[1] as string[]).length;
    expect([pushed, await rows().digests(uuid(ours()))]).toEqual([3, before[0]]);
  });

  it('an invalid token of another workspace is indistinguishable from a token that never existed', async () => {
    const headers = { 'x-tenant': 'demo' };
    const pushTo = (token: string) =>
      sendRequest(service.url, { method: 'post', path: `/ingest/${token}`, body: { id: 1 } }, headers);
    const [never, ...ended] = [newIngestToken().token, ...theirs().make.tables.ended];
    const { outcome, bytes } = await pushTo(never);
    const responses = await Promise.all(ended.map(pushTo));
    expect([outcome, ended.length, ...responses.map((response) => response.bytes)]).toEqual([
      ...['UNAUTHENTICATED', 2, bytes, bytes],
    ]);
  });
}
