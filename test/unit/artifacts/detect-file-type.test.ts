import { describe, expect, it } from 'vitest';
import { detectFileType } from '../../../src/artifacts/detect-file-type.js';
import { aCompoundFile, anArchive } from '../../support/artifacts/office-files.js';

const OFFICE = { '[Content_Types].xml': '<Types/>', '_rels/.rels': '<Relationships/>' };
const mimetype = (kind: string) => ({ mimetype: `application/vnd.oasis.opendocument.${kind}`, 'content.xml': '<x/>' });

const TAKEN: [what: string, head: Buffer, name: string, type: string][] = [
  ['a workbook', anArchive({ ...OFFICE, 'xl/workbook.xml': '<workbook/>' }), 'a.xlsx', 'xlsx'],
  ['a workbook without an extension', anArchive({ ...OFFICE, 'xl/workbook.xml': '' }), 'upload', 'xlsx'],
  ['a workbook whose parts are beyond the head', anArchive(OFFICE), 'a.xlsx', 'xlsx'],
  ['an OpenDocument spreadsheet', anArchive(mimetype('spreadsheet')), 'a.ods', 'ods'],
  ['an OpenDocument spreadsheet template', anArchive(mimetype('spreadsheet-template')), 'a.ods', 'ods'],
  [
    'a Numbers document',
    anArchive({ 'Index/Document.iwa': '', 'Index/Tables/DataList.iwa': '' }),
    'a.numbers',
    'numbers',
  ],
  ['an archive', anArchive({ 'a.csv': 'a,b\n1,2\n' }), 'a.zip', 'zip'],
  ['an archive without entries', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'a.zip', 'zip'],
  ['an archive whose mimetype entry is not a document type', anArchive({ mimetype: 'text/csv' }), 'a.zip', 'zip'],
  ['an archive truncated in a header', anArchive({ 'a.csv': 'a' }).subarray(0, 20), 'a.zip', 'zip'],
  ['an Excel 97 workbook', aCompoundFile('Workbook'), 'a.xls', 'xls'],
  ['an Excel 5 workbook', aCompoundFile('Book'), 'upload', 'xls'],
  ['an Excel 97 workbook whose directory is beyond the head', aCompoundFile(), 'a.xls', 'xls'],
  ['text', Buffer.from('a,b\n1,2\n'), 'a.csv', 'csv'],
  ['tab-separated text with an upper-case extension', Buffer.from('a\tb\n1\t2\n'), 'a.TSV', 'csv'],
  ['text with an unknown extension', Buffer.from('a,b\n'), 'a.b', 'csv'],
  ['text that starts like Parquet', Buffer.from('PAR1,PAR2\n1,2\n'), 'a.csv', 'csv'],
  ['text that starts with a bracket', Buffer.from('[id],[name]\n[1],{2}\n'), 'a.csv', 'csv'],
  ['text with an object in its first value', Buffer.from('{"a": 1};x\n{"a": 2};y\n'), 'a.csv', 'csv'],
  ['text that starts with an angle bracket', Buffer.from('<id>,b\n1,2\n'), 'a.csv', 'csv'],
];

const REFUSED: [what: string, head: Buffer, name: string][] = [
  ['an archive called .csv', anArchive({ 'a.csv': 'a' }), 'a.csv'],
  ['text called .xlsx', Buffer.from('a,b\n1,2\n'), 'a.xlsx'],
  ['text called .zip', Buffer.from('a,b\n1,2\n'), 'a.zip'],
  ['a workbook called .xls', anArchive({ ...OFFICE, 'xl/workbook.xml': '' }), 'a.xls'],
  ['an Excel 97 workbook called .xlsx', aCompoundFile('Workbook'), 'a.xlsx'],
  ['a Word document', anArchive({ ...OFFICE, 'word/document.xml': '' }), 'a.docx'],
  ['a Word document called .zip', anArchive({ ...OFFICE, 'word/document.xml': '' }), 'a.zip'],
  ['an OpenDocument text', anArchive(mimetype('text')), 'a.odt'],
  ['a Word 97 document', aCompoundFile('WordDocument'), 'a.doc'],
  ['a compound file of unknown type', aCompoundFile(), 'a.msi'],
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'a.pdf'],
  ['gzip called .csv', Buffer.from('1f8b0800', 'hex'), 'a.csv'],
  ['an HTML page called .csv', Buffer.from('\n<!DOCTYPE html><html></html>'), 'a.csv'],
  ['an HTML page with a byte order mark', Buffer.from('\ufeff<html lang="en">'), 'a.csv'],
  ['an object in each line', Buffer.from('{"a": 0, "b": "x"}\n{"a": 1, "b": "y"}\n'), 'a.csv'],
  ['an array in each line', Buffer.from('\ufeff[1, "x"]\r\n[2, "y"]\r\n'), 'a.txt'],
  ['JSON in several lines', Buffer.from('\n[\n  { "a": 0 },\n  { "a": 1 }\n]\n'), 'a.csv'],
  ['an array in several lines', Buffer.from('[\n1,\n2\n]'), 'a.csv'],
  ['the start of JSON on one line', Buffer.from(`[${'{"a": 0},'.repeat(1_000)}`), 'a.csv'],
  ['the start of JSON on many lines', Buffer.from(`[\n${'  {\n    "a": 0\n  },\n'.repeat(1_000)}`), 'a.csv'],
  ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'a.csv'],
];

describe('detectFileType', () => {
  it.each(TAKEN)('detects %s', (_, head, name, type) => {
    expect(detectFileType(head, name)).toBe(type);
  });

  it.each(REFUSED)('rejects %s', (_, head, name) => {
    expect(() => detectFileType(head, name)).toThrow(expect.objectContaining({ code: 'WA-AF-013' }));
  });

  it('handles a head full of signatures quickly', () => {
    expect(detectFileType(Buffer.from('PK\x03\x04'.repeat(65_536), 'latin1'), 'a.zip')).toBe('zip');
  });
});
