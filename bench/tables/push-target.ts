import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface PushTarget {
  /** Throws an error unless the service accepts all records. */
  push(records: number): Promise<void>;
  /** Returns the number of pushed rows in the table. */
  rows(): Promise<number>;
}

type Json = Record<string, never> & { id: string };

const agent = new Agent({ connections: 64 });
let recordCount = 0;

export function generateRecord(nth: number): string {
  return `{"id":${nth},"name":"customer ${nth % 1_000}","amount":${(nth % 10_000) / 100},"at":"2026-01-31T12:00:00.000Z","tags":["a","b"]}`;
}

/** Publishes the tap from a file of one row. The tap has no connection, so the token alone authorizes pushes. */
export async function createPushTarget(origin: string, headers: Record<string, string>): Promise<PushTarget> {
  const ask = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const reply = await fetch(origin + path, { ...init, headers: { ...headers, ...init.headers } });
    const { data, error } = (await reply.json()) as { data: Json; error?: string };
    if (error) throw new Error(error);
    return data;
  };
  const post = (path: string, body: object): Promise<Json> =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  const form = new FormData();
  form.set('data', '{}');
  form.set('file', new File(['id,name,amount,at\n0,first,1.25,2026-01-31T12:00:00.000Z\n'], 'pushed.csv'));
  const { artifact } = await ask('/api/artifacts/upload-artifact', { method: 'POST', body: form });
  const { id } = artifact as unknown as Json;
  await post('/api/artifacts/run-artifact-schema-inference', { artifactId: id });
  const tap = await post(`/api/artifacts/${id}/publish`, { name: 'pushed' });
  const { token } = await post('/api/ingest-tokens', { tenantConnectorTapId: tap.id });
  const table = await untilListed(ask);

  const push = async (records: number): Promise<void> => {
    const lines = Array.from({ length: records }, () => generateRecord(++recordCount));
    const { statusCode, body } = await request(`${origin}/ingest/${String(token)}`, {
      ...{ method: 'POST', dispatcher: agent, body: lines.join('\n') },
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const { data } = (await body.json()) as { data?: { accepted: number } };
    if (data?.accepted !== records) throw new Error(`a push returned ${statusCode}`);
  };
  const rows = async (): Promise<number> => Number((await ask(`/api/catalog/tables/${table}`)).rows) - 1;
  return { push, rows };
}

async function untilListed(ask: (path: string) => Promise<Json>): Promise<string> {
  for (;;) {
    const { items } = await ask('/api/catalog/tables');
    const [table] = items as unknown as Json[];
    if (table) return table.id;
    await wait(200);
  }
}
