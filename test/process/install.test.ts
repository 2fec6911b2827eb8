import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

const cache = mkdtempSync(join(tmpdir(), 'taproot-install-'));
afterAll(() => rmSync(cache, { recursive: true }));

/** Runs `npm ci` up to the download, as if the given version of Node were installed. */
function install(version: string): { code: number | null; stderr: string } {
  const [program, ...args] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const flags = ['--dry-run', '--offline', '--ignore-scripts', '--loglevel=warn', `--cache=${cache}`];
  const pretend = `Object.defineProperty(process, "version", { value: "${version}" })`;
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` };
  const { status, stderr } = spawnSync(program as string, [...args, 'ci', ...flags], {
    ...{ cwd: PROJECT_ROOT, env, encoding: 'utf8' },
  });
  return { code: status, stderr };
}

describe('npm ci', () => {
  // The npm package `node` installs the Node version that the service uses, so the `engines` of dependencies do not
  // matter. If this test fails, it prints the packages whose `engines` exclude the version. In package-lock.json,
  // delete the `engines` of these packages.
  it.each(['v20.19.0', 'v22.19.0', 'v24.21.0'])('does not warn about engines on Node %s', (version) => {
    const { code, stderr } = install(version);
    expect([code, stderr.match(/EBADENGINE +package: .*/g)]).toEqual([0, null]);
  });

  it('reports once that Node 18 is too old, and stops', () => {
    const { code, stderr } = install('v18.20.8');
    expect(code).not.toBe(0);
    expect(stderr.match(/Invalid semver version .*/g)).toEqual([
      expect.stringMatching(/">=20" .*"v18\.20\.8" .*"runtime"/),
    ]);
    expect(stderr).not.toContain('EBADENGINE ');
  });
});
