import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { OPENAPI } from '../support/catalog/api-descriptions.js';

const folder = mkdtempSync(join(tmpdir(), 'taproot-vendors-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(script: string, ...parameters: string[]) {
  const file = join(PROJECT_ROOT, 'dist', 'scripts', script);
  return spawnSync(process.execPath, [file, ...parameters], { encoding: 'utf8', cwd: folder });
}

describe('npm run vendor:new', () => {
  it('creates a valid definition and a logo', () => {
    const name = 'Acme: "Shop" & Co';
    expect(run('new-vendor.js', 'acme-shop', '--name', name, '--folder', join(folder, 'new')).status).toBe(0);
    expect(readdirSync(join(folder, 'new', 'acme-shop'))).toEqual(['acme-shop.svg', 'acme-shop.yaml']);
    expect(readFileSync(join(folder, 'new', 'acme-shop', 'acme-shop.svg'), 'utf8')).toContain('>A</text>');
    const check = join(PROJECT_ROOT, 'dist', 'scripts', 'check-definitions.js');
    expect(execFileSync(process.execPath, [check, join(folder, 'new')], { encoding: 'utf8' })).toContain('1 vendor');
  });

  it('rejects an existing folder', () => {
    mkdirSync(join(folder, 'old', 'acme'), { recursive: true });
    const { status, stderr } = run('new-vendor.js', 'acme', '--name', 'Acme', '--folder', join(folder, 'old'));
    expect([status, stderr]).toEqual([1, `${join(folder, 'old', 'acme')} already exists.\n`]);
  });

  it('rejects an invalid slug', () => {
    const { status, stderr } = run('new-vendor.js', '../Acme', '--name', 'Acme', '--folder', folder);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^SLUG has at most 64 characters/)]);
  });
});

describe('npm run catalog:import', () => {
  it('writes a draft, prints notes and does not overwrite the draft', () => {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(OPENAPI));
    const out = join(folder, 'acme.yaml');
    const { status, stdout } = run('import-description.js', file, '--out', out);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^to do: [\s\S]*\nWrote .*acme\.yaml: 6 strategies, 7 taps/),
    ]);
    expect(readFileSync(out, 'utf8')).toMatch(/^# Draft of openapi\.json/);
    expect(run('import-description.js', file, '--out', out).stderr).toContain('already exists');
  });

  it('prints an error for an unreadable file', () => {
    const { status, stderr } = run('import-description.js', join(folder, 'missing.json'));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Cannot read [^\n]*\n$/)]);
  });
});

describe('npm run tap:try', () => {
  it.each([
    ['a missing file', ['--config', 'missing.yaml'], /^Cannot read missing\.yaml: ENOENT[^\n]*\nUsage: /],
    ['an invalid number', ['--config', 'a.yaml', '--records', 'ten'], /^--records must be a whole number\.\nUsage: /],
  ])('exits with 2 for %s', (_, parameters, message) => {
    const { status, stderr } = run('try-tap.js', 'github', 'issues', ...parameters);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
