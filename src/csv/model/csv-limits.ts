export const MAX_COLUMNS = 4_096;

/** Maximum length of a record in UTF-16 code units, including quotes and line ends. */
export const MAX_RECORD_CHARACTERS = 1024 * 1024;

export const MAX_NAME_CHARACTERS = 256;

/**
 * Usual size of the head, the start of a file. The head determines the dialect, and must contain at least one complete
 * row.
 */
export const HEAD_BYTES = 256 * 1024;

/**
 * Maximum size of the head, for files whose first `HEAD_BYTES` contain no complete row. This is the size of the longest
 * record in the widest encodings (UTF-32, GB 18030), plus a margin.
 */
export const MAX_HEAD_BYTES = 4 * MAX_RECORD_CHARACTERS + HEAD_BYTES;

/** Maximum size of all titles of the header together, in UTF-8. Every response about the file contains them. */
export const MAX_NAMES_BYTES = 128 * 1024;

/**
 * Maximum size of a preview. A preview contains only the first `MAX_SAMPLE_VALUE_CHARACTERS` characters of each value.
 */
export const MAX_SAMPLE_CHARACTERS = 256 * 1024;
export const MAX_SAMPLE_VALUE_CHARACTERS = 1_024;

/** Maximum number of rows in a preview. */
export const SAMPLE_ROWS = 20;

/**
 * An encoding with a lower confidence is a guess. In generated files in 29 languages, 7 % of the guesses (46 of 667)
 * and 0.1 % of all other results are wrong.
 */
export const CERTAIN_ENCODING_CONFIDENCE = 0.9;
