import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

it('a worker takes at most 128 MiB more than idle for a million records, and for a page of 256 MiB', async () => {
  const bench = join(PROJECT_ROOT, 'dist/bench/pull.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--enable-source-maps', bench, 'memory']);
  expect(stdout.match(/^(met|NOT MET) .*over idle/gm), stdout).toHaveLength(2);
  expect(stdout).not.toContain('NOT MET');
}, 1_200_000);
