import type { DriftPolicy } from '../../catalog/model/table-mode.js';
import type { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { EXTRA_COLUMN, type TableSchema } from '../table-schema.js';
import { ColumnNames, isFrozen, observedTypeOf } from './record-schema.js';
import type { RecordField } from './split-record-fields.js';

/** Describes how a table handles fields without a column. */
export interface Drift {
  readonly policy: DriftPolicy;
  /** Columns that a user has refused, for the policy `ask`. */
  readonly refusedFields?: readonly string[] | undefined;
}

export function driftOf({
  driftPolicy: policy,
  refusedFields,
}: Pick<Lean<TenantConnectorTap>, 'driftPolicy' | 'refusedFields'>): Drift {
  return { policy, refusedFields };
}

export const ADD_COLUMNS: Drift = { policy: 'add' };

export type NeededColumn = readonly [name: string, type: string];

const MAX_QUOTED_CHARACTERS = 64;

export const NO_COLUMN = 'the record has fields without a column in the table';

/** The reason to reject or hold a record. Undefined if the unknown fields of the record become part of `_extra`. */
type Fault = { readonly reason: string; readonly needs?: readonly NeededColumn[] } | undefined;

export class UnknownFields {
  readonly #isFrozen: boolean;
  readonly #hasExtra: boolean;
  readonly #refused: ReadonlySet<string>;
  readonly #names: ColumnNames;

  constructor(
    schema: TableSchema,
    private readonly drift: Drift,
  ) {
    this.#isFrozen = isFrozen(schema, drift.policy);
    this.#hasExtra = schema.fields.some(({ name }) => name === EXTRA_COLUMN);
    this.#names = new ColumnNames(schema.fields);
    this.#refused = new Set((drift.refusedFields ?? []).map((name) => name.toLowerCase()));
  }

  /** `fields` must contain at least one field, and no nulls. */
  check(fields: readonly RecordField[]): Fault {
    const [[first]] = fields as [RecordField];
    if (!this.#isFrozen) return this.#hasExtra ? undefined : { reason: NO_COLUMN };
    if (this.drift.policy === 'freeze')
      return { reason: describeUnknownField(first, 'the drift policy of its tap is freeze') };
    const needs = new Map<string, string>();
    for (const [name, value] of fields) {
      const column = this.#names.isFree(name) ? name : EXTRA_COLUMN;
      if (column === EXTRA_COLUMN && this.#hasExtra) continue;
      if (this.#refused.has(column.toLowerCase()))
        return { reason: describeUnknownField(name, 'the column was refused') };
      needs.set(column, column === EXTRA_COLUMN ? 'JSON' : (observedTypeOf(value) ?? 'JSON'));
    }
    return needs.size > 0
      ? { reason: describeUnknownField(first, 'the drift policy of its tap is ask'), needs: [...needs] }
      : undefined;
  }
}

function describeUnknownField(name: string, cause: string): string {
  return `field "${name.slice(0, MAX_QUOTED_CHARACTERS).toWellFormed()}": the table has no such column, and ${cause}`;
}
