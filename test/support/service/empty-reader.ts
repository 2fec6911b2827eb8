import { Reader } from '../../../src/kernel/reading/reader.js';

/** A reader for requests that read no rows. */
export const emptyReader = new Reader({ of: () => undefined as never }, { query: async () => ({ rows: [] }) });
