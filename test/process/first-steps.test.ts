import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { listenOnLoopback } from '../support/servers/loopback.js';
import { aService } from '../support/service/service.js';
import { aFakeShop } from '../support/vendors/fake-shop.js';

const shop = await aFakeShop();
const service = aService({ ...shop.env, JOBS: 'on', INITIAL_SYNC: 'on', INGEST_FLUSH_SECONDS: '1' });

/** Open syncs, publications and batches, and connections whose first sync has no status yet. */
const UNFINISHED = `
select 1 from sync_job where finished_at is null
union all select 1 from publication where status in ('queued', 'running')
union all select 1 from ingest_batch
union all select 1 from tenant_connector_instance where last_sync_status is null`;

/** Responds when all work is finished. The test calls this server where the examples call `sleep`. */
const idle = await listenOnLoopback(async (_, response) => {
  await waitUntil(async () => (await queryAsOwner(service, UNFINISHED)).length === 0);
  response.end();
});
afterAll(() => Promise.all([shop.close(), idle.close()]));

const BLOCK_END = '--- end of example ---';

/** Commands that this test does not run: it starts the service itself, and another test runs the demo. */
const STARTED_ELSEWHERE = ['npm run start:example', 'npm run demo'];

/** Runs the examples in one shell that stops at the first error. Returns the output of each example. */
async function paste(page: string): Promise<string[]> {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block as string);
  const examples = blocks.filter((block) => !STARTED_ELSEWHERE.includes(block.trim()));
  const script = [
    'set -eo pipefail',
    `curl() { command curl --silent --show-error --fail-with-body --write-out '\\n' "$@"; }`,
    `npm() { command npm --prefix '${PROJECT_ROOT}' "$@"; }`,
    `sleep() { curl '${idle.origin}'; }`,
    ...examples.map((block) => `${block}\nsleep\necho '${BLOCK_END}'`),
  ].join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'taproot-steps-'));
  const env = { ...process.env, DATA_DIR: service.dataDir, TAPROOT_URL: service.url };
  const { stdout } = await promisify(execFile)('bash', ['-c', at(script)], { cwd: folder, env }).finally(() =>
    rm(folder, { recursive: true }),
  );
  return stdout.split(`${BLOCK_END}\n`).slice(0, -1);
}

const at = (script: string): string =>
  script.replaceAll('http://127.0.0.1:4000', service.url).replaceAll('http://127.0.0.1:4010', shop.vendor.origin);

describe('first-steps.md', () => {
  it('has examples that work when they are pasted in order', async () => {
    const page = await readFile(join(PROJECT_ROOT, 'docs/first-steps.md'), 'utf8');
    const outputs = await paste(page);
    // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
    const responses = outputs.flatMap((text) => text.match(/^\{.*\}$/gm) ?? []).map((line): any => JSON.parse(line));
    const dataOf = (field: string) => responses.flatMap(({ data }) => (data?.[field] === undefined ? [] : [data]));

    const [firstSync] = dataOf('tapRuns');
    expect(firstSync).toMatchObject({ trigger: 'initial', status: 'succeeded', recordsWritten: 350 });
    for (const { slicesDone, slicesTotal } of firstSync.tapRuns) expect(slicesDone).toBe(slicesTotal);
    const rows = responses.map(({ data }) => data).filter(Array.isArray);
    expect(rows).toMatchObject([
      [{ status: expect.stringMatching(/paid|refunded/) }, {}, {}],
      [{ id: 7, status: 'returned' }, {}, {}],
      expect.arrayContaining([expect.objectContaining({ order: 1003, note: 'by phone' })]),
    ]);
    expect(dataOf('kind')).toMatchObject([{ kind: 'cron', cron: '0 6 * * 1-5' }]);
    const [, expected = ''] = /^```json\n([\s\S]*?)^```/m.exec(page) ?? [];
    expect(JSON.parse(outputs.at(-1) as string)).toEqual(JSON.parse(expected));
  });
});
