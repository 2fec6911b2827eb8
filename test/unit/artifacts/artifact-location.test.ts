import { describe, expect, it } from 'vitest';
import { validateArtifactLocation } from '../../../src/artifacts/artifact-location.js';

const NAMES = {
  taken: [
    'a.csv',
    'Zahlen für März.csv',
    '統計.csv',
    '.hidden',
    '..a',
    'a..b',
    "O'Brien & sons.csv",
    '👩‍👩‍👧.csv',
    'x'.repeat(255),
  ],
  refused: [
    '',
    '.',
    '..',
    '../a.csv',
    'a/b.csv',
    'a\\b.csv',
    'a\0.csv',
    'a\n.csv',
    'a\u007f',
    'vsc.\u202etxt',
    '\u2066a',
    'a\ud800',
    'x'.repeat(256),
    '\ufeffa.csv',
  ],
};
const PATHS = {
  taken: [null, undefined, '/', '/a', '/a/b', '/Übersicht/2026 Q1', `/${'x'.repeat(1_023)}`],
  refused: [
    '',
    'a',
    'a/b',
    '/a/',
    '//',
    '/a//b',
    '/..',
    '/a/../b',
    '/./a',
    '/a\\b',
    '/a\0',
    '/\u202ea',
    '/\udc00',
    `/${'x'.repeat(1_024)}`,
  ],
};

describe('validateArtifactLocation', () => {
  it.each(NAMES.taken)('accepts the file name %j', (name) => {
    expect(validateArtifactLocation(name, null).fileName).toBe(name);
  });

  it.each(NAMES.refused)('rejects the file name %j', (name) => {
    expect(() => validateArtifactLocation(name, null)).toThrow(expect.objectContaining({ code: 'WA-AF-014' }));
  });

  it.each(PATHS.taken)('accepts the folder %j', (path) => {
    expect(validateArtifactLocation('a.csv', path).path).toBe(path === '/' ? undefined : (path ?? undefined));
  });

  it.each(PATHS.refused)('rejects the folder %j', (path) => {
    expect(() => validateArtifactLocation('a.csv', path)).toThrow(expect.objectContaining({ code: 'WA-AF-014' }));
  });

  it('normalizes names and folders to NFC', () => {
    expect(validateArtifactLocation('u\u0308.csv', '/a\u0301')).toEqual({ fileName: '\u00fc.csv', path: '/\u00e1' });
  });
});
