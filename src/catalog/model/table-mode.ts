import { wireEnum } from '../../kernel/entities/wire-enum.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { ConnectorTap } from './connector-tap.js';
import { looksAhead } from './lookahead.js';

export const TapRunMode = wireEnum('TapRunMode', 'How the records of a tap change its table.', {
  append: 'Every record becomes a new row.',
  replace: 'The records replace all rows at the end of the run. Readers see the old rows until then.',
  upsert: 'The table holds the newest version of each record, by primary key.',
  history:
    'The table holds each version of each record, with the start and the end of the period in which the version was current.',
});
export type TapRunMode = keyof typeof TapRunMode;

export const DeletedRows = wireEnum(
  'DeletedRows',
  'What happens to the row of a record that was deleted at the source.',
  {
    remove: 'The service removes the row.',
    mark: 'The row remains, and `_record_deleted` becomes true.',
  },
);
export type DeletedRows = keyof typeof DeletedRows;

export const DriftPolicy = wireEnum(
  'DriftPolicy',
  'How the service handles a record with a field for which the table has no column.',
  {
    add: 'The table gets a column for each new field.',
    ask: 'The service holds the record until a person accepts or refuses the new columns. If the table has no columns yet, the service adds a column for each field of the first records.',
    freeze:
      'The service rejects the record. If the table has no columns yet, the service adds a column for each field of the first records.',
  },
);
export type DriftPolicy = keyof typeof DriftPolicy;

type TapDefinition = Pick<Lean<ConnectorTap>, 'sync' | 'responseExtraction' | 'dataKind'>;

/**
 * Returns whether the mode matches records by primary key. A new version of a record replaces the row of the record
 * (`upsert`), or ends the period of the current row (`history`).
 */
export function isMergedMode(mode: TapRunMode): mode is 'upsert' | 'history' {
  return mode === 'upsert' || mode === 'history';
}

export function defaultModeOf(tap: TapDefinition): TapRunMode {
  if (tap.sync.tableMode != null) return tap.sync.tableMode;
  if (tap.sync.mode === 'full') return 'replace';
  const isHistory = tap.dataKind === 'event' || tap.dataKind === 'changelog';
  return hasRecordKey(tap) && !isHistory ? 'upsert' : 'append';
}

/**
 * Returns the mode that the workspace has chosen, or else the default. Without a definition, the default is `append`.
 */
export function modeOf(
  tap: { readonly mode?: TapRunMode | null | undefined },
  definition: TapDefinition | undefined,
): TapRunMode {
  return tap.mode ?? (definition ? defaultModeOf(definition) : 'append');
}

/** Returns the reason why the tap cannot have the mode, or undefined if the mode is possible. */
export function modeFaultOf(mode: TapRunMode, definition: TapDefinition | undefined): string | undefined {
  if (mode === 'append')
    return definition && looksAhead(definition.sync)
      ? 'The mode append is not possible for this tap, because each read would store the records with future dates again.'
      : undefined;
  if (!definition) return 'A tap without a definition can only append rows.';
  if (isMergedMode(mode))
    return hasRecordKey(definition)
      ? undefined
      : `The mode ${mode} requires a primary key in the definition of the tap.`;
  return definition.sync.mode === 'full' ? undefined : 'The mode replace requires a tap that is read in full.';
}

export function hasRecordKey({ responseExtraction }: Pick<TapDefinition, 'responseExtraction'>): boolean {
  const { primaryKey, syntheticPrimaryKey } = responseExtraction;
  return primaryKey != null || (syntheticPrimaryKey?.fields?.length ?? 0) > 0;
}
