import { afterAll, afterEach, expect, it } from 'vitest';
import { decodeId } from '../../../../src/kernel/ids.js';
import { anArtifact, columnTypesOf, runInference, upload } from '../../../support/artifacts/artifact-requests.js';
import { rowsFor } from '../../../support/artifacts/hostile-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { BUCKET_CREDENTIALS, BucketServer } from '../../../support/servers/bucket-server.js';
import { aService } from '../../../support/service/service.js';

/** Large enough for a multipart upload to the bucket. */
const PARTS = 12 * 1024 * 1024;

Object.assign(process.env, BUCKET_CREDENTIALS);
const bucket = await new BucketServer().open();
const service = aService({ STORAGE_URL: bucket.address('of/taproot'), JOBS: 'on' });
const editor = service.as('editor');

afterEach(() => {
  bucket.answer = undefined;
});

afterAll(() => bucket.close());

/** Breaks every connection to the bucket from the first matching request on. */
function breakFrom(pattern: RegExp): void {
  let isAway = false;
  bucket.answer = (request) => {
    isAway ||= pattern.test(`${request.method} ${request.url}`);
    if (isAway) request.socket.destroy();
    return isAway;
  };
}

const hurry = () =>
  queryAsOwner(service, `update taproot_jobs.job set start_after = now() where state in ('created', 'retry')`);

const keysOf = async (id: string): Promise<string[]> =>
  (await bucket.keys()).filter((key) => key.endsWith(decodeId(id) as string));

const statuses = async () =>
  (await queryAsOwner(service, 'select upload_status from artifact')).map((row) => row.upload_status);

it('stores, infers and deletes files in a bucket', async () => {
  const { id } = await anArtifact(editor);
  expect(await keysOf(id)).toEqual([expect.stringMatching(/^of\/taproot\/artifacts\//)]);
  expect(columnTypesOf((await runInference(editor, id)).body.data.artifact)).toEqual({
    id: 'Integer',
    name: 'String',
    born: 'Date',
  });
  await editor.delete(`/api/artifacts/${id}`);
  await queryAsOwner(service, `update artifact set deleted_at = now() - interval '31 days'`);
  await hurry();
  await waitUntil(async () => (await keysOf(id)).length === 0);
});

it('rejects a file if the bucket fails during the upload, and deletes its remains later', async () => {
  const before = await statuses();
  breakFrom(/partNumber=2/);
  const { status, headers } = await upload(editor, { content: rowsFor(PARTS) });
  expect([status, headers.get('x-error-code'), await statuses()]).toEqual([422, 'WA-AF-029', before]);
  expect(await bucket.keys()).toHaveLength(1);
  bucket.answer = undefined;
  await hurry();
  await waitUntil(async () => (await bucket.keys()).length === 0);
});

it('fails the inference of a file that is temporarily unreadable, and succeeds later', async () => {
  const { id } = await anArtifact(editor);
  breakFrom(/./);
  expect((await runInference(editor, id)).body.data.inferenceError.code).toBe('WA-AF-029');
  bucket.answer = undefined;
  expect((await runInference(editor, id)).body.data.artifact.schemaInferenceStatus).toBe('succeeded');
});
