import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const cell = z.union([z.string(), z.number(), z.null()]);
const record = z.array(cell);
const types = z.array(z.union([z.string(), z.object({ base: z.string(), format: z.string().optional() })]));

/** `MANIFEST_FORMAT` explains the keys. The benchmark does not score missing properties. */
const truth = z.looseObject({
  delimiter: z.string().optional(),
  quote: z.string().optional(),
  escape: z.string().optional(),
  headerRow: z.boolean().optional(),
  columnCount: z.number().optional(),
  columns: z.array(z.string()).optional(),
  firstColumn: z.string().optional(),
  headerCells01: z.array(z.string()).optional(),
  cell00: z.string().optional(),
  preambleRows: z.number().optional(),
  skipRows: z.number().optional(),
  headerOffset: z.number().optional(),
  encoding: z.string().optional(),
  isUtf8: z.boolean().optional(),
  notUtf8: z.boolean().optional(),
  dataRows: z.number().optional(),
  totalRowsWithHeader: z.number().optional(),
  rows: z.union([z.number(), z.array(record)]).optional(),
  typedRows: z.array(record).optional(),
  rowsAsObjects: z.array(z.record(z.string(), z.string())).optional(),
  nullToken: z.string().optional(),
  csvwResult: z.string().optional(),
  duckdbTypes: types.optional(),
  ptypeTypes: types.optional(),
  qsvTypes: types.optional(),
  pythonTypes: types.optional(),
  types: types.optional(),
  typesFromFirst4Rows: types.optional(),
  csvwDatatypes: types.optional(),
  expectedDatesInColumnD: z.array(z.string()).optional(),
  valuesWithThousandsComma: z.union([z.array(z.number()), z.record(z.string(), z.array(z.number()))]).optional(),
  valuesWithDecimalComma: z.array(z.number()).optional(),
});

const manifest = z.object({ files: z.array(z.object({ file: z.string(), truth })) });

export type CorpusCell = z.infer<typeof cell>;
export type GroundTruth = z.infer<typeof truth>;

export interface CorpusFile {
  readonly name: string;
  readonly path: string;
  readonly truth: GroundTruth;
}

/** The message is for the user of the command. */
export class CorpusError extends Error {}

/** Throws `CorpusError`. */
export function readCorpus(folder: string): CorpusFile[] {
  const { files } = parseManifest(join(folder, 'manifest.json'));
  return files.map(({ file, truth }) => {
    const path = join(folder, file);
    if (!existsSync(path)) throw new CorpusError(`${path} is listed in the manifest but missing`);
    return { name: file, path, truth };
  });
}

function parseManifest(path: string): z.infer<typeof manifest> {
  if (!existsSync(path)) throw new CorpusError(`${path} is missing`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CorpusError(`${path} is not JSON: ${(error as Error).message}`);
  }
  const { success, data, error } = manifest.safeParse(json);
  if (!success) throw new CorpusError(`${path} is not a manifest:\n${z.prettifyError(error)}`);
  return data;
}

/**
 * Some types in the manifest were inferred from only the first four rows of a file. The benchmark compares these types
 * on a copy with only these rows.
 */
export async function truncateFiles(files: readonly CorpusFile[], folder: string): Promise<CorpusFile[]> {
  const all: CorpusFile[] = [];
  for (const [index, file] of files.entries()) {
    const { typesFromFirst4Rows, ...truth } = file.truth;
    all.push({ ...file, truth });
    if (!typesFromFirst4Rows) continue;
    const path = join(folder, `short-${index}.csv`);
    const lines = readFileSync(file.path, 'latin1').split('\n').slice(0, 5); // The header and four rows.
    await writeFile(path, `${lines.join('\n')}\n`, 'latin1');
    all.push({ name: `${file.name} (four rows)`, path, truth: { typesFromFirst4Rows } });
  }
  return all;
}

export const MANIFEST_FORMAT = `FOLDER contains manifest.json and the files of the corpus:
  { "files": [ { "file": "a/b.csv", "truth": { ... } } ] }
"file" is a path inside the folder. "truth" contains the known properties of the file. Missing properties are not scored.
  delimiter, quote, escape        one character each; an empty quote or escape means none
  headerRow                       whether the file has a header line
  columnCount                     number of columns
  columns                         names of the columns in order; names that the file does not contain are not scored
  firstColumn, headerCells01      the first name, the first names
  cell00                          the first value of the first record
  preambleRows, skipRows, headerOffset
                                  number of lines before the header or the data
  encoding, isUtf8, notUtf8       name of the encoding; whether it is UTF-8; whether it is not UTF-8
  dataRows, totalRowsWithHeader   number of records without the header; number of records with the header
  rows, typedRows                 the records without the header, if headerRow is true, or if it is missing and columns is set;
                                  otherwise all records. Numbers are compared as numbers. null is an empty value or nullToken.
                                  rows may also be the number of records
  rowsAsObjects                   the records after the header as objects of texts
  types (Table Schema), duckdbTypes, ptypeTypes, qsvTypes, pythonTypes, csvwDatatypes
                                  types of the columns in order, in the vocabulary of a tool. csvwDatatypes may be { base, format },
                                  and are not scored if csvwResult is set and is not "valid"
  typesFromFirst4Rows             the same, for the header and four rows only
  expectedDatesInColumnD          values of the column d, as ISO dates
  valuesWithThousandsComma, valuesWithDecimalComma
                                  values of the first column as numbers; valuesWithThousandsComma may also be
                                  an object with such values by column name
Other properties are not scored.`;
