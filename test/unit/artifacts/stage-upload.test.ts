import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { ArtifactContext } from '../../../src/artifacts/artifact-context.js';
import { MAX_STAGED_UPLOADS, UploadStaging } from '../../../src/artifacts/upload-staging.js';

const CONTEXT = {} as ArtifactContext;

async function* bytesOf(content: string | Error): AsyncGenerator<Buffer> {
  if (content instanceof Error) throw content;
  yield Buffer.from(content);
}

it('rejects uploads above MAX_STAGED_UPLOADS, and accepts one for each that was read, dropped or failed', async () => {
  const uploads = new UploadStaging(tmpdir());
  const stage = (content: string | Error): Promise<Readable> => uploads.stage(CONTEXT, bytesOf(content));
  const [first, second] = await Promise.all(Array.from({ length: MAX_STAGED_UPLOADS }, () => stage('a,b\n')));
  if (!first || !second) throw new Error('Nothing was staged.');
  const refusal = { code: 'TOO_MANY_REQUESTS', retryAfter: 5 };
  await expect(stage('c')).rejects.toMatchObject(refusal);
  const closed = Promise.all([first, second].map((stream) => once(stream, 'close')));
  expect(await text(first)).toBe('a,b\n');
  second.destroy();
  await closed;
  await expect(stage(new Error('broken off'))).rejects.toThrow('broken off');
  const more = [await stage('d'), await stage('e')];
  await expect(stage('f')).rejects.toMatchObject(refusal);
  for (const stream of more) stream.destroy();
});
