import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

/**
 * Folders of `src`, from the lowest layer up. A file may import from its own folder and from the folders before it in
 * this list. `.` is the layer of the files directly in a domain. The manifest of a domain, `index.ts`, may
 * import the whole domain.
 */
const LAYERS = [
  ...layersOf('kernel', ['.', 'formats', 'jobs', 'changes', 'entities', 'reading', 'concurrency', 'files', 'outbound']),
  ...layersOf('tenancy', ['.', 'roles', 'api-keys', 'members', 'authentication', 'workspaces', 'idempotency']),
  'secrets',
  ...layersOf('catalog', ['.', 'model', 'definitions', 'loading', 'requests']),
  ...layersOf('sources', ['.', 'responses', 'sessions', 'methods', 'calls']),
  ...layersOf('instances', ['.', 'config', 'credentials', 'lifecycle', 'oauth']),
  ...layersOf('csv', [
    'model',
    'encoding',
    'records',
    'formats',
    'header',
    'dialect',
    'types',
    'plain',
    'inference',
    '.',
  ]),
  'artifacts',
  ...layersOf('tables', ['.', 'staging', 'records', 'files', 'merge', 'queries', 'publications', 'taps']),
  ...layersOf('syncs', [
    '.',
    'requests',
    'responses',
    'bodies',
    'pages',
    'reading',
    'held',
    'runs',
    'slices',
    'lifecycle',
    'steps',
    'schedules',
  ]),
  ...layersOf('ingest', ['senders', 'records', '.', 'held']),
  ...layersOf('quality', ['contracts', 'spc', 'chart', 'results', 'checks', 'runs', 'preview', '.']),
  'domains.ts',
  'database',
  ...layersOf('http', ['.', 'console', 'graphql']),
  '.',
];

/** Folders of `console/src`, from the lowest layer up. */
const CONSOLE_LAYERS = ['gql', 'ui', 'session', 'api', 'screens', 'app'];
const LOWEST_COMPOSING_LAYER = LAYERS.indexOf('database');
const MAX_FILES_PER_FOLDER = 35;
const TYPE_OF_ERROR_CODES = /^import type \{ ErrorCode \} from '(\.\.\/)+src\/kernel\/errors\.js'$/;

const files = [...sourcesIn('src'), ...sourcesIn('rest-facade')];

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));
}

function read(file: string): string {
  return readFileSync(join(PROJECT_ROOT, file), 'utf8');
}

function importsOf(file: string): { statement: string; target: string }[] {
  const statements = read(file).matchAll(/(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g);
  return [...statements].map(([statement, from, dynamic]) => ({
    statement,
    target: relative(PROJECT_ROOT, resolve(PROJECT_ROOT, dirname(file), (from ?? dynamic) as string)),
  }));
}

function layersOf(domain: string, folders: readonly string[]): string[] {
  return folders.map((folder) => (folder === '.' ? domain : `${domain}/${folder}`));
}

function packagesLoadedBy(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export\b[^'"]* from) ?(?:[^'"]* from )?['"]([^'"]+)['"]/gm,
  )) {
    if (target.startsWith('.'))
      for (const name of packagesLoadedBy(resolve(dirname(file), target), seen)) packages.add(name);
    else if (!target.startsWith('node:')) packages.add(target);
  }
  return packages;
}

/** Returns -1 for an unlisted folder. */
function layerOf(file: string): number {
  const path = relative('src', file);
  if (LAYERS.includes(path)) return LAYERS.indexOf(path);
  const folder = dirname(path);
  if (basename(path) !== 'index.ts') return LAYERS.indexOf(folder);
  return LAYERS.findLastIndex((layer) => layer === folder || layer.startsWith(`${folder}/`));
}

function upwardImports(sources: readonly string[], layer: (file: string) => number): string[] {
  return sources
    .flatMap((file) => importsOf(file).map(({ target }) => ({ file, target: target.replace(/\.js$/, '.ts') })))
    .filter(({ file, target }) => layer(target) > layer(file))
    .map(({ file, target }) => `${file} -> ${target}`);
}

describe('floors', () => {
  it('every folder of src is a layer', () => {
    const unknown = files.filter((file) => file.startsWith('src/') && layerOf(file) < 0);
    expect(unknown).toEqual([]);
  });

  it('imports only point to lower layers', () => {
    const sources = files.filter((file) => file.startsWith('src/'));
    expect(upwardImports(sources, (file) => (file.startsWith('src/') ? layerOf(file) : -1))).toEqual([]);
  });

  it('folders of the console import only lower folders', () => {
    const layerOfFolder = (file: string): number => CONSOLE_LAYERS.indexOf(file.split('/')[2] as string);
    const sources = sourcesIn('console/src').filter((file) => dirname(file) !== 'console/src');
    expect(sources.filter((file) => layerOfFolder(file) < 0)).toEqual([]);
    expect(upwardImports(sources, layerOfFolder)).toEqual([]);
  });

  it('only src/http and the composition files of src use the REST facade', () => {
    const users = files.filter((file) => importsOf(file).some(({ target }) => target.startsWith('rest-facade/')));
    const wrong = users.filter((file) => file.startsWith('src/') && layerOf(file) < LOWEST_COMPOSING_LAYER);
    expect(wrong).toEqual([]);
  });

  it('the REST facade imports only the type of the error codes from src', () => {
    const wrong = files
      .filter((file) => file.startsWith('rest-facade/'))
      .flatMap((file) => importsOf(file).map((used) => ({ file, ...used })))
      .filter(({ target }) => target.startsWith('src/'))
      .filter(({ statement }) => !TYPE_OF_ERROR_CODES.test(statement))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it('a worker thread loads only packages that decode text, because each file starts one', () => {
    const workers = files.filter((file) => file.endsWith('-worker.ts'));
    expect(workers).toHaveLength(3);
    for (const worker of workers) {
      const compiled = join(PROJECT_ROOT, 'dist', worker.replace(/\.ts$/, '.js'));
      expect([worker, [...packagesLoadedBy(compiled)].sort()]).toEqual([worker, ['iconv-lite', 'jschardet']]);
    }
  });

  it('only config.ts reads the environment; one other file passes it to child processes', () => {
    const readers = files.filter((file) => read(file).includes('process.env'));
    expect(readers).toEqual(['src/config.ts', 'src/database/unprivileged-user.ts']);
  });

  it('folders nest at most three levels, files have at most 300 lines, and no file has a catch-all name', () => {
    const deep = files.filter((file) => file.split('/').length > 4);
    const long = files.filter((file) => read(file).split('\n').length > 300);
    const drawers = files.filter((file) => /(^|\/)(utils?|helpers?|common|types|misc)\.ts$/.test(file));
    expect({ deep, long, drawers }).toEqual({ deep: [], long: [], drawers: [] });
  });

  it(`no folder directly holds more than ${MAX_FILES_PER_FOLDER} files`, () => {
    const folders = [
      ...files,
      ...sourcesIn('test'),
      ...sourcesIn('bench'),
      ...sourcesIn('scripts'),
      ...sourcesIn('console/src'),
    ].map((file) => dirname(file));
    const full = [...new Set(folders)].filter(
      (folder) => folders.filter((other) => other === folder).length > MAX_FILES_PER_FOLDER,
    );
    expect(full).toEqual([]);
  });
});
