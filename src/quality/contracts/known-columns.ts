import type { FieldType } from '../../csv/model/data-schema.js';
import { AppError } from '../../kernel/errors.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { ColumnTypes } from './rule-requirements.js';

/** Throws BAD_REQUEST about a place within what was asked for. */
export function rejectField(place: string, why: string): never {
  throw new AppError('BAD_REQUEST', `${place}: ${why}.`);
}

/** The columns that a table has, and those that its contract says are to come. */
export class KnownColumns {
  readonly #types: ReadonlyMap<string, FieldType>;

  constructor(expected: TableSchema, actual: TableSchema) {
    this.#types = new Map([...expected.fields, ...actual.fields].map(({ name, type }) => [name, type]));
  }

  /** Throws BAD_REQUEST where there is no such column. Its name is not repeated: it is long, or none. */
  require(place: string, column: string, types: ColumnTypes = 'any'): void {
    const type = this.#types.get(column);
    if (!type) rejectField(place, 'is no column of the table, nor of the schema of the contract');
    if (types !== 'any' && !types.includes(type))
      rejectField(place, `must be of the type ${types.join(' or ')}, and is of the type ${type}`);
  }

  /** The same for a list, which names no column twice. */
  requireAll(place: string, columns: readonly string[]): void {
    for (const [at, column] of columns.entries()) this.require(`${place}[${at}]`, column);
    requireUnique(place, columns, (column) => column);
  }
}

/** Throws BAD_REQUEST where one of a list is the same as an earlier one. */
export function requireUnique<Item>(place: string, list: readonly Item[], keyOf: (item: Item) => string): void {
  const seen = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const first = seen.get(keyOf(item));
    if (first !== undefined) rejectField(`${place}[${at}]`, `is the same as ${place}[${first}]`);
    seen.set(keyOf(item), at);
  }
}
