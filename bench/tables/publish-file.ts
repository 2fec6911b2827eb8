import { setTimeout as wait } from 'node:timers/promises';
import { issueLocalToken } from '../../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../../src/tenancy/workspaces/seed-demo.js';
import { type ResourceUsage, startServerProcess } from '../support/server-process.js';
import { uploadCsv } from '../support/upload-csv.js';

/** Time until a started process is idle. */
const SETTLE_MS = 3_000;
const POLL_INTERVAL_MS = 250;

export interface PublishTarget {
  readonly folder: string;
  readonly databaseUrl: string;
  /** In bytes. */
  readonly size: number;
  readonly nodeArgs?: readonly string[];
}

/** `idle` is the memory before the upload. */
export async function publishFile({
  folder,
  databaseUrl,
  size,
  nodeArgs = [],
}: PublishTarget): Promise<ResourceUsage & { idle: number }> {
  const env = { PORT: '0', DATA_DIR: folder, DATABASE_URL: databaseUrl, RATE_LIMITS: 'off', SEED_DEMO: 'true' };
  const service = await startServerProcess('src/main.js', {
    pattern: /REST +(http:\/\/[^/]+)/,
    env: { ...env, MAX_UPLOAD_BYTES: String(2 * size) },
    nodeArgs,
  });
  try {
    const headers = {
      authorization: `Bearer ${await issueLocalToken(folder, demoEmail('owner'))}`,
      'x-tenant': DEMO_WORKSPACE,
    };
    await wait(SETTLE_MS);
    const idle = service.memory();
    const ask = createApiClient(service.origin, headers);
    const uploaded = JSON.parse(await uploadCsv(`${service.origin}/api/artifacts/upload-artifact`, size, headers));
    const artifactId: string = uploaded.data.artifact.id;
    await ask('POST', '/api/artifacts/run-artifact-schema-inference', { artifactId });
    const usage = await service.watch(async () => {
      const { id } = await ask('POST', `/api/artifacts/${artifactId}/publish`, { name: `Bench ${artifactId}` });
      await waitForEnd(ask, id);
    });
    return { ...usage, idle };
  } finally {
    await service.stop();
  }
}

type ApiClient = ReturnType<typeof createApiClient>;

function createApiClient(origin: string, headers: Record<string, string>) {
  // biome-ignore lint/suspicious/noExplicitAny: any response
  return async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };
}

async function waitForEnd(ask: ApiClient, tapId: string): Promise<void> {
  for (;;) {
    const { publication } = await ask('GET', `/api/tenant-connector-taps/${tapId}`);
    if (publication.status === 'failed') throw new Error(publication.error);
    if (publication.status === 'succeeded') return;
    await wait(POLL_INTERVAL_MS);
  }
}
