import type { DuckDb } from '../../tables/duckdb.js';
import { rejectField } from '../contracts/known-columns.js';
import type { ContractRule } from '../contracts/table-contract.js';
import { findInvalidPatterns } from './find-invalid-patterns.js';

/** Throws BAD_REQUEST if a rule has an invalid regular expression. */
export async function validatePatterns(duckdb: DuckDb, rules: readonly ContractRule[]): Promise<void> {
  const faulty = await findInvalidPatterns(
    duckdb,
    rules.flatMap(({ pattern }) => (pattern ? [pattern] : [])),
  );
  const at = rules.findIndex(({ pattern }) => pattern && faulty.has(pattern));
  if (at >= 0) rejectField(`rules[${at}].pattern`, 'is not a valid RE2 regular expression');
}
