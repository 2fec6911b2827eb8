import { expect, it } from 'vitest';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import { captureStatements } from '../database/captured-statements.js';
import { type IsolationReply, sendRequest } from './isolation-calls.js';
import { NESTED_LIST_REQUESTS } from './nested-list-requests.js';
import type { IsolationWorkspace } from './workspace-fixtures.js';

type Headers = Record<string, string>;

interface NestedListWorld {
  readonly url: () => string;
  readonly ours: () => IsolationWorkspace;
  readonly theirs: () => IsolationWorkspace;
  /** Returns the headers of a request by the owner of the workspace. */
  readonly ownerOf: (workspace: IsolationWorkspace) => Promise<Headers>;
  /** Returns the secrets of the other workspace that a response contains. */
  readonly leaksOf: (reply: IsolationReply) => string[];
  /** Collects the SQL statements of requests for lists of our own workspace. */
  readonly statements: string[];
}

export function itIsolatesNestedLists({ url, ours, theirs, ownerOf, leaksOf, statements }: NestedListWorld): void {
  it.each(NESTED_LIST_REQUESTS)('$title: pages show nothing foreign, and foreign ids find nothing', async (list) => {
    const own = Object.values(ours().live); // The `live` ids of both workspaces include rows of the shared catalog.
    const ids = Object.values(theirs().live).filter((id) => decodeId(id) && !own.includes(id));
    const send = async (workspace: IsolationWorkspace, values: readonly string[]) =>
      sendRequest(url(), list.request(values), await ownerOf(workspace));
    const found = await send(ours(), ids);
    expect([found.outcome, leaksOf(found)]).toEqual(['ok', []]);
    const missing = async () => expect((await send(ours(), [newId()])).bytes).toBe(found.bytes);
    statements.push(...(await captureStatements(missing)));
    for (const { bytes } of [found, await send(theirs(), ids)])
      expect(new RegExp(`"${list.total}":[1-9]`).test(bytes)).toBe(!list.isEmpty);
  });
}
