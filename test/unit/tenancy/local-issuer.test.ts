import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAccessToken } from '../../../src/tenancy/authentication/access-token.js';
import { createLocalIssuer, issueLocalToken, LocalKeyError } from '../../../src/tenancy/authentication/local-issuer.js';

describe('the local issuer', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproot-issuer-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('signs its tokens with a stored key', async () => {
    const token = await issueLocalToken(folder, 'Ada@example.com');
    const { email } = await verifyAccessToken(token, await createLocalIssuer(folder));
    expect(email).toBe('ada@example.com');
  });

  it.each(['', 'cut', 'null', '[]', '{}', '{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}'])(
    'rejects a key file that contains %j',
    async (content) => {
      const keys = join(folder, `broken ${content.length}`, 'keys');
      await mkdir(keys, { recursive: true });
      await writeFile(join(keys, 'local-issuer.json'), content);
      await expect(createLocalIssuer(join(keys, '..'))).rejects.toThrow(LocalKeyError);
      await expect(issueLocalToken(join(keys, '..'), 'ada@example.com')).rejects.toThrow(
        'is not a valid key file. If you delete the file',
      );
    },
  );
});
