import { AppError } from '../kernel/errors.js';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Each stream name identifies a type of document. The directory of a compound file contains the names in UTF-16. */
const WORKBOOK = [utf16('Workbook'), utf16('Book')];
const OTHERS = [utf16('WordDocument'), utf16('PowerPoint Document'), utf16('__properties_version1.0')];

/**
 * Returns `xls` for an Excel workbook in a compound file (MS-CFB), and undefined if the file is not a compound file. If
 * the directory is outside the head, the extension of the file name decides. Throws WA-AF-013 for other compound files.
 */
export function detectCompoundFileType(head: Buffer, extension: string): 'xls' | undefined {
  if (!head.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const holds = (name: Buffer): boolean => head.includes(name);
  if (WORKBOOK.some(holds) || (extension === 'xls' && !OTHERS.some(holds))) return 'xls';
  throw new AppError(
    'WA-AF-013',
    'The file is a Microsoft compound file, such as a Word document, and contains no Excel workbook. Upload a CSV file or a spreadsheet.',
  );
}

/** Includes the terminating NUL, so that a longer name does not match. */
function utf16(name: string): Buffer {
  return Buffer.from(`${name}\0`, 'utf16le');
}
