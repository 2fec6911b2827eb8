import type { ColumnFormat } from '../formats/column-format.js';
import type { CsvError } from '../model/csv-error.js';
import type { SchemaField } from '../model/data-schema.js';
import { detailNames, type GivenField, hasDetails, invalidColumn, unreadableColumn } from '../types/change-fields.js';
import type { ColumnSample } from '../types/column-sample.js';
import { columnTypes } from '../types/column-types.js';
import { completeProposal } from './complete-proposal.js';
import type { SampledColumn } from './sampled-column.js';

const MAX_DECIMAL_DIGITS = 38;

/**
 * The user sets the type, and this function adds the format properties that fit the values, such as `decimalSeparator`.
 * The format need not fit all values. Throws `CsvError` WA-AF-031 if the given properties are invalid. Also throws
 * WA-AF-031 if the values fit several formats of the type, fit none, or have more digits than a Decimal can hold.
 */
export function completeField(column: SampledColumn, given: GivenField): SchemaField {
  const tokens = given.nullTokens ?? (given.type === 'String' ? [] : column.tokens);
  const nullTokens = new Set(tokens);
  const sample = column.sample.withValues(column.sample.values.filter((value) => !nullTokens.has(value.toLowerCase())));
  const { name, title } = column.field;
  return {
    ...{ name, ...(title !== undefined && { title }) },
    ...completeFormat(given, sample),
    nullable: given.nullable ?? (tokens.length > 0 || column.texts.includes('')),
    ...(tokens.length > 0 && { nullTokens: tokens }),
  };
}

function completeFormat(given: GivenField, sample: ColumnSample): ColumnFormat {
  const type = columnTypes[given.type];
  const proposal = completeProposal(given, sample);
  if (!proposal) throw undecidedColumn(given, sample);
  const measured = type.measure ? type.measure(proposal.format, sample.values) : proposal.format;
  if (!measured) throw invalidColumn(given, 'has values with more digits than a Decimal can hold');
  const { scale } = given;
  if (scale === undefined) return measured;
  const wholeDigits = (measured.precision ?? 0) - (measured.scale ?? 0);
  return { ...measured, scale, precision: Math.min(Math.max(1, wholeDigits + scale), MAX_DECIMAL_DIGITS) };
}

function undecidedColumn(given: GivenField, sample: ColumnSample): CsvError {
  if (hasDetails(given)) return unreadableColumn(given);
  const { type } = given;
  const doubts = columnTypes[type].propose(sample)?.doubts.map(({ reason }) => reason) ?? [];
  const advice = `Set one or more of these properties: ${detailNames(type)}`;
  return doubts.length > 0
    ? invalidColumn(given, `fits several formats of the type ${type}. ${doubts.join(' ')} ${advice}`)
    : invalidColumn(given, `fits no known format of the type ${type}. ${advice}`);
}
