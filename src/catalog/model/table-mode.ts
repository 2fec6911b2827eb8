import { wireEnum } from '../../kernel/entities/wire-enum.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { ConnectorTap } from './connector-tap.js';

export const TapRunMode = wireEnum('TapRunMode', 'How the records of a tap change its table.', {
  append: 'Every record becomes a new row.',
  replace: 'The records replace all rows at the end of the run. Readers see the old rows until then.',
  upsert: 'The table holds the newest version of each record, by primary key.',
});
export type TapRunMode = keyof typeof TapRunMode;

type TapDefinition = Pick<Lean<ConnectorTap>, 'sync' | 'responseExtraction' | 'dataKind'>;

/** The mode of a tap if the workspace does not choose another one. */
export function defaultModeOf(tap: TapDefinition): TapRunMode {
  if (tap.sync.mode === 'full') return 'replace';
  const isHistory = tap.dataKind === 'event' || tap.dataKind === 'changelog';
  return hasRecordKey(tap) && !isHistory ? 'upsert' : 'append';
}

/** Whether the definition says what identifies a record. */
export function hasRecordKey({ responseExtraction }: Pick<TapDefinition, 'responseExtraction'>): boolean {
  const { primaryKey, syntheticPrimaryKey } = responseExtraction;
  return primaryKey != null || (syntheticPrimaryKey?.fields?.length ?? 0) > 0;
}
