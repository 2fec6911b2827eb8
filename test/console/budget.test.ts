import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

const ASSETS = join(PROJECT_ROOT, 'console/dist/assets');
const FIRST_LOAD_BYTES = 250_000;

const names = readdirSync(ASSETS);

/** The browser loads a file and all its static imports before it runs the file. */
function loadedWith(name: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(name)) return loaded;
  loaded.add(name);
  const text = readFileSync(join(ASSETS, name), 'utf8');
  for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    loadedWith(imported as string, loaded);
  return loaded;
}

const chunk = (name: string): string => names.find((file) => file.startsWith(`${name}-`)) as string;
const compressed = (name: string): number => gzipSync(readFileSync(join(ASSETS, name))).length;

describe('the files of the console', () => {
  it('that the first page loads have at most 250 kB compressed', () => {
    const page = readFileSync(join(ASSETS, '../index.html'), 'utf8');
    const files = new Set([...page.matchAll(/\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name as string));
    for (const name of ['sign-in-page', 'provider-session', 'callback-page', 'workspace-layout', 'home-screen'])
      loadedWith(chunk(name), files);
    for (const script of [...files].filter((name) => name.endsWith('.js'))) {
      files.delete(script);
      loadedWith(script, files);
    }
    expect(files.size).toBeGreaterThan(5);
    const bytes = [...files].reduce((sum, name) => sum + compressed(name), 0);
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
    expect(bytes).toBeGreaterThan(FIRST_LOAD_BYTES / 4); // A smaller sum means that files are missing.
  });
});
