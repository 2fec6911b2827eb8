import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

const FLOORS = [
  'kernel',
  'tenancy',
  'secrets',
  'catalog',
  'sources',
  'instances',
  'csv',
  'artifacts',
  'tables',
  'ingest',
  'quality',
];
const TYPE_OF_ERROR_CODES = /^import type \{ ErrorCode \} from '(\.\.\/)+src\/kernel\/errors\.js'$/;

const files = [...sourcesIn('src'), ...sourcesIn('rest-facade')];

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

function read(file: string): string {
  return readFileSync(join(PROJECT_ROOT, file), 'utf8');
}

/** Imports of our own files, each with its whole statement. */
function importsOf(file: string): { statement: string; target: string }[] {
  const statements = read(file).matchAll(/(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g);
  return [...statements].map(([statement, from, dynamic]) => ({
    statement,
    target: relative(PROJECT_ROOT, resolve(PROJECT_ROOT, dirname(file), (from ?? dynamic) as string)),
  }));
}

/** Height of a file: its domain's floor; the composing files of `src` stand on top of all. */
function floorOf(file: string): number {
  const [, domain = '', inside] = file.split('/');
  return inside === undefined ? FLOORS.length : FLOORS.indexOf(domain);
}

describe('floors', () => {
  it('every folder of src is a floor', () => {
    const unknown = files.filter((file) => file.startsWith('src/') && floorOf(file) < 0);
    expect(unknown).toEqual([]);
  });

  it('imports run downwards only', () => {
    const upward = files
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) => importsOf(file).map(({ target }) => ({ file, target })))
      .filter(({ file, target }) => target.startsWith('src/') && floorOf(target) > floorOf(file))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(upward).toEqual([]);
  });

  it('only the composing files of src use the REST facade', () => {
    const users = files.filter((file) => importsOf(file).some(({ target }) => target.startsWith('rest-facade/')));
    const wrong = users.filter((file) => file.startsWith('src/') && floorOf(file) < FLOORS.length);
    expect(wrong).toEqual([]);
  });

  it('the REST facade knows nothing of src but the type of the error codes', () => {
    const wrong = files
      .filter((file) => file.startsWith('rest-facade/'))
      .flatMap((file) => importsOf(file).map((used) => ({ file, ...used })))
      .filter(({ target }) => target.startsWith('src/'))
      .filter(({ statement }) => !TYPE_OF_ERROR_CODES.test(statement))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it('only config.ts reads the environment; one other file hands it on to child processes', () => {
    const readers = files.filter((file) => read(file).includes('process.env'));
    expect(readers).toEqual(['src/config.ts', 'src/kernel/unprivileged-user.ts']);
  });

  it('folders nest two levels, files stay under 300 lines and none is a drawer', () => {
    const deep = files.filter((file) => file.split('/').length > 3);
    const long = files.filter((file) => read(file).split('\n').length > 300);
    const drawers = files.filter((file) => /(^|\/)(utils?|helpers?|common|types|misc)(\/|\.ts$)/.test(file));
    expect({ deep, long, drawers }).toEqual({ deep: [], long: [], drawers: [] });
  });
});
