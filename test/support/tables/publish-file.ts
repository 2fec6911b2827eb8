import { anArtifact, runInference } from '../artifacts/artifact-requests.js';
import { waitUntil } from '../database/test-jobs.js';
import type { Client } from '../service/service.js';

/** Publishes a file. Returns the tap before the job loads the rows of the file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any response
export async function publishFile(client: Client, content: string | Uint8Array, name = 'People'): Promise<any> {
  const { id } = await anArtifact(client, { content });
  await runInference(client, id);
  const { status, text, body } = await client.post(`/api/artifacts/${id}/publish`, { name });
  if (status !== 200) throw new Error(text);
  return body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
export async function getTap(client: Client, id: string): Promise<any> {
  return (await client.request(`/api/tenant-connector-taps/${id}`)).body.data;
}

/** Returns the tap after its publication has ended. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any response
export async function waitForPublication(client: Client, id: string): Promise<any> {
  await waitUntil(async () => /succeeded|failed/.test((await getTap(client, id)).publication.status));
  return getTap(client, id);
}
