import { gzipSync } from 'node:zlib';
import { anArchive } from './office-files.js';

type Content = string | Uint8Array;

/** Same as in the service, which checks only the head of a file during the upload. */
const HEAD_BYTES = 256 * 1024;

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

export const rowsFor = (bytes: number): string => `id,name\n${'1,Ada\n'.repeat(Math.ceil(bytes / 6))}`;

/** `name` defaults to `people.csv`. */
export const REFUSED_FILES: readonly [what: string, content: Content, code: string, name?: string][] = [
  ['an empty file', '', 'WA-AF-001'],
  ['only a byte order mark', '\ufeff', 'WA-AF-001'],
  ['only a UTF-16 byte order mark', Buffer.from([0xff, 0xfe]), 'WA-AF-001'],
  ['only blank lines', '\r\n \n\t\n', 'WA-AF-001'],
  ['only NUL bytes', new Uint8Array(5_000), 'WA-AF-004'],
  ['a NUL byte in a value', 'id,name\n1,A\0da\n2,Grace\n', 'WA-AF-004'],
  ['a surrogate in UTF-8', Buffer.from('id,name\n1,\xed\xa0\x80\n2,b\n', 'latin1'), 'WA-AF-003'],
  [
    'UTF-16 with an odd number of bytes',
    Buffer.concat([utf16('\ufeffid,name\n1,Ada\n'), Buffer.from('a')]),
    'WA-AF-003',
  ],
  [
    'an invalid byte after a UTF-8 byte order mark',
    Buffer.from('\xef\xbb\xbfid,name\n1,\xff\n', 'latin1'),
    'WA-AF-003',
  ],
  ['an unpaired surrogate in UTF-16', utf16('\ufeffid,name\n1,\ud800\n2,b\n'), 'WA-AF-003'],
  ['a quote that is never closed', 'id,name\n1,"Ada\n2,Grace\n', 'WA-AF-009'],
  ['an unclosed quote at the start', `"${rowsFor(2_000)}`, 'WA-AF-009'],
  ['a line of 5 MB without a line end', Buffer.alloc(5_000_000, 'a'), 'WA-AF-010'],
  ['a million columns', `${'a,'.repeat(999_999)}a\n`, 'WA-AF-008'],
  ['a million columns and no line end', 'a,'.repeat(1_000_000), 'WA-AF-008'],
  ['columns without names and values', ',,\n,,\n', 'WA-AF-006'],
  ['a title of 300 characters', `${'t'.repeat(300)},b\n1,2\n`, 'WA-AF-007'],
  ['a title with a control character', `ring\x07,b\n${'1,2\n'.repeat(50)}`, 'WA-AF-007'],
  ['a ZIP archive with the extension .csv', anArchive({ 'a.csv': 'a,b\n1,2\n' }), 'WA-AF-013', 'people.csv'],
  ['CSV with the extension .xlsx', rowsFor(100), 'WA-AF-013', 'people.xlsx'],
  ['CSV with the extension .zip', rowsFor(100), 'WA-AF-013', 'people.zip'],
  ['CSV that starts like a ZIP archive', 'PK\x03\x04,b\n1,2\n', 'WA-AF-013'],
  ['gzip', gzipSync(rowsFor(100)), 'WA-AF-013'],
  ['PDF', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 'WA-AF-013'],
  ['HTML', '<!DOCTYPE html>\n<html><body><table><tr><td>1</table></html>\n', 'WA-AF-013'],
  ['HTML without an extension', '\n  <html>\n<p>1,2</p>\n', 'WA-AF-013', 'people'],
];

/** Unusual, but valid files. `names` and `row` contain the first columns only. */
export const READ_FILES: readonly [
  what: string,
  content: Content,
  encoding: string,
  names: readonly string[],
  row: readonly (string | null)[],
][] = [
  ['UTF-16LE with a byte order mark', utf16('\ufeffid,name\n1,Żaneta\n'), 'utf-16le', ['id', 'name'], ['1', 'Żaneta']],
  [
    'UTF-16BE with a byte order mark',
    swapped(utf16('\ufeffid,name\n1,Żaneta\n')),
    'utf-16be',
    ['id', 'name'],
    ['1', 'Żaneta'],
  ],
  ['UTF-16LE without a byte order mark', utf16('id,name\n1,Ada\n2,Grace\n'), 'utf-16le', ['id', 'name'], ['1', 'Ada']],
  [
    'UTF-16BE without a byte order mark',
    swapped(utf16('id,name\n1,Ada\n2,Grace\n')),
    'utf-16be',
    ['id', 'name'],
    ['1', 'Ada'],
  ],
  [
    'windows-1252 with a euro sign',
    Buffer.from('prix,ville\n5 \x80,Orl\xe9ans\n7 \x80,Besan\xe7on\n9 \x80,Saint-\xc9tienne\n', 'latin1'),
    'windows-1252',
    ['prix', 'ville'],
    ['5 €', 'Orléans'],
  ],
  [
    'names of inherited JavaScript properties',
    '__proto__,constructor,toString\n1,2,3\n',
    'utf-8',
    ['__proto__', 'constructor', 'toString'],
    ['1', '2', '3'],
  ],
  [
    'spreadsheet formulas',
    'id,note\n1,"=HYPERLINK(""http://a.test"")"\n',
    'utf-8',
    ['id', 'note'],
    ['1', '=HYPERLINK("http://a.test")'],
  ],
  [
    'markup in values',
    'id,note\n1,<script>alert(1)</script>\n',
    'utf-8',
    ['id', 'note'],
    ['1', '<script>alert(1)</script>'],
  ],
  [
    '4,096 columns',
    `${Array.from({ length: 4_096 }, (_, at) => `c${at}`)}\n${'1,'.repeat(4_095)}1\n`,
    'utf-8',
    ['c0', 'c1'],
    ['1', '1'],
  ],
  ['an unclosed quote after the head', `${rowsFor(HEAD_BYTES)}2,"Eve\n`, 'utf-8', ['id', 'name'], ['1', 'Ada']],
];
