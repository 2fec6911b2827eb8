import type { TableStructure } from './model/table-structure.js';
import type { CsvTable } from './read-csv-table.js';
import type { CsvRecord } from './records/parse-csv-records.js';
import type { SortedRecords } from './sort-records.js';

const MAX_NAMED_LINES = 5;
const MAX_QUOTED_CHARACTERS = 64;

interface OtherTable {
  /**
   * Records of a second table below the first, starting with the header of the second table. Empty if there is no
   * second table.
   */
  readonly otherTable: readonly CsvRecord[];
}

export function describeStructure(
  { dialect, columns, droppedColumns, textAbove }: CsvTable,
  { rows, padded, long, repeatedHeaders, remarks, otherTable }: SortedRecords & OtherTable,
): TableStructure {
  const { encoding, encodingConfidence, skipLines } = dialect;
  const place = dialect.header ? 'header' : 'first row';
  const evidence = [
    encodingConfidence !== undefined &&
      `The encoding ${encoding} is a guess (confidence ${encodingConfidence.toFixed(2)}). If letters are wrong, save the file as UTF-8.`,
    skipLines > 0 && `The service skipped ${count(skipLines, 'line')} above the ${place}${quoted(textAbove)}.`,
    padded.length > 0 &&
      `The service padded ${count(padded.length, 'row')} to ${count(columns.length, 'value')}: ${linesOf(padded)}.`,
    long.length > 0 &&
      `The service left out ${count(long.length, 'row')} with more than ${count(columns.length, 'value')}: ${linesOf(long)}.`,
    repeatedHeaders.length > 0 &&
      `The service left out ${count(repeatedHeaders.length, 'repetition')} of the header: ${linesOf(repeatedHeaders)}.`,
    remarks.length > 0 &&
      `The service left out ${count(remarks.length, 'remark')} below the table: ${linesOf(remarks)}${quoted(firstText(remarks))}.`,
    otherTable.length > 0 &&
      `The service left out another table, which starts at ${linesOf(otherTable.slice(0, 1))}${quoted(headerOf(otherTable))}.`,
    droppedColumns > 0 && `The service dropped ${count(droppedColumns, 'empty column')} at the right of the table.`,
  ];
  return {
    rows: rows.length,
    paddedRows: padded.length,
    longRows: long.length,
    repeatedHeaders: repeatedHeaders.length,
    remarks: remarks.length,
    otherTableRows: otherTable.length,
    skippedLines: skipLines,
    droppedColumns,
    evidence: evidence.filter((sentence) => sentence !== false),
  };
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

function linesOf(records: readonly CsvRecord[]): string {
  const lines = records.slice(0, MAX_NAMED_LINES).map(({ line }) => line);
  const more = records.length - lines.length;
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function quoted(text: string): string {
  return text === '' ? '' : ` (${JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed())})`;
}

function firstText(records: readonly CsvRecord[]): string {
  return records.flatMap(({ values }) => values.map((value) => value.trim())).find((value) => value !== '') ?? '';
}

function headerOf([header]: readonly CsvRecord[]): string {
  return (header?.values ?? []).map((value) => value.trim()).join(', ');
}
