import type { FieldType } from '../../csv/model/data-schema.js';
import { AppError } from '../../kernel/errors.js';
import type { TableSchema } from '../../tables/table-schema.js';
import type { ColumnTypes } from './rule-requirements.js';

/** Throws BAD_REQUEST. `path` is the path of a field in the input, such as `rules[0].column`. */
export function rejectField(path: string, problem: string): never {
  throw new AppError('BAD_REQUEST', `${path}: ${problem}.`);
}

export class KnownColumns {
  readonly #types: ReadonlyMap<string, FieldType>;

  constructor(expected: TableSchema, actual: TableSchema) {
    this.#types = new Map([...expected.fields, ...actual.fields].map(({ name, type }) => [name, type]));
  }

  /**
   * Throws BAD_REQUEST for an unknown column or an unsupported type. The message omits the name, which may be long or
   * empty.
   */
  require(path: string, column: string, types: ColumnTypes = 'any'): void {
    const type = this.#types.get(column);
    if (!type) rejectField(path, 'is not a column of the table or of the contract schema');
    if (types !== 'any' && !types.includes(type))
      rejectField(path, `must have the type ${types.join(' or ')}, not ${type}`);
  }

  /** Throws BAD_REQUEST for an unknown or repeated column. */
  requireAll(path: string, columns: readonly string[]): void {
    for (const [at, column] of columns.entries()) this.require(`${path}[${at}]`, column);
    requireUnique(path, columns, 'value', (column) => column);
  }
}

/** Throws BAD_REQUEST if an item repeats the key of an earlier item. The message contains `keyName`. */
export function requireUnique<Item>(
  path: string,
  list: readonly Item[],
  keyName: string,
  keyOf: (item: Item) => string,
): void {
  const seen = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const first = seen.get(keyOf(item));
    if (first !== undefined) rejectField(`${path}[${at}]`, `has the same ${keyName} as ${path}[${first}]`);
    seen.set(keyOf(item), at);
  }
}
