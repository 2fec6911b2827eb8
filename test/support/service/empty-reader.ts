import { Reader } from '../../../src/kernel/reading/reader.js';

export const emptyReader = new Reader({ of: () => undefined as never }, { query: async () => ({ rows: [] }) });
