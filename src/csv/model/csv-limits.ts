/** Values in a record at the most. */
export const MAX_COLUMNS = 4_096;

/** Characters (UTF-16 code units) of a record, its quotes and line ends included. */
export const MAX_RECORD_CHARACTERS = 1024 * 1024;

/** Characters of the name of a column. */
export const MAX_NAME_CHARACTERS = 256;

/** Bytes of a file that decide how it is cut, as long as one whole record is among them. */
export const HEAD_BYTES = 256 * 1024;

/** Bytes that are looked at where it is not: the longest record in the widest encoding (UTF-32, GB 18030), and a little over. */
export const MAX_HEAD_BYTES = 4 * MAX_RECORD_CHARACTERS + HEAD_BYTES;

/** Bytes of the names and titles of all columns together, in UTF-8: they stand in every answer about the file. */
export const MAX_NAMES_BYTES = 128 * 1024;

/** Characters of a preview, of which each value shows the first `MAX_SAMPLE_VALUE_CHARACTERS`. A wide file shows fewer rows. */
export const MAX_SAMPLE_CHARACTERS = 256 * 1024;
export const MAX_SAMPLE_VALUE_CHARACTERS = 1_024;

/** Rows that a preview shows. */
export const SAMPLE_ROWS = 20;
