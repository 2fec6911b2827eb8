import { isDeepStrictEqual } from 'node:util';
import type { TableField } from '../../tables/table-schema.js';
import type { ContractFieldInput, TableContractInput } from './table-contract.inputs.js';
import type { TableContract } from './table-contract.js';

export type ContractChanges = Partial<TableContract>;

/** Null clears `timestampColumn`. For all other properties, null has no effect. */
export function changesOf(contract: TableContract, input: Omit<TableContractInput, 'id' | 'version'>): ContractChanges {
  const { schema, series, rules, ...others } = input;
  const wanted = {
    ...others,
    schema: schema && { fields: schema.fields.map(toTableField) },
    series: series?.map(withoutNulls),
    rules: rules?.map(withoutNulls),
  };
  const isChange = ([name, value]: [string, unknown]): boolean => {
    const former = contract[name as keyof TableContract];
    if (name === 'timestampColumn' && value === null) return former !== null;
    return value !== undefined && value !== null && !isDeepStrictEqual(value, former);
  };
  return Object.fromEntries(Object.entries(wanted).filter(isChange)) as ContractChanges;
}

function toTableField({ name, type, scale }: ContractFieldInput): TableField {
  const given = scale ?? (type === 'Decimal' ? 0 : undefined);
  return { name, type: type as TableField['type'], ...(given !== undefined && { scale: given }) };
}

function withoutNulls<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value != null)) as Part;
}
