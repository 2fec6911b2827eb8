import { AppError } from '../kernel/errors.js';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Names of the streams that make a document what it is, as its directory spells them. */
const WORKBOOK = [utf16('Workbook'), utf16('Book')];
const OTHERS = [utf16('WordDocument'), utf16('PowerPoint Document'), utf16('__properties_version1.0')];

/**
 * `xls` for a compound file (MS-CFB) that is a workbook; undefined for what is no compound file. Its directory may stand anywhere: where the head
 * does not hold it the extension decides. Throws WA-AF-013 for others.
 */
export function detectCompoundFileType(head: Buffer, extension: string): 'xls' | undefined {
  if (!head.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const holds = (name: Buffer): boolean => head.includes(name);
  if (WORKBOOK.some(holds) || (extension === 'xls' && !OTHERS.some(holds))) return 'xls';
  throw new AppError('WA-AF-013', 'Office documents that are no workbooks are not taken.');
}

/** With the end of a name, so that a longer one is not taken for it. */
function utf16(name: string): Buffer {
  return Buffer.from(`${name}\0`, 'utf16le');
}
