import { countOf } from './count-of.js';

/** Describes the effect of refusing the columns that held records need. */
export function describeRefusal(records: number, columns: readonly { readonly name: string }[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  return `The service rejects ${countOf(records, 'held record')}. From now on, it also rejects each record that has one of these fields: ${names}.`;
}
