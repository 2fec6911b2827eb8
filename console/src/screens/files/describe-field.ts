import type { FileField } from './file-query.js';

/** Describes the type of a column, such as "Decimal, 2 decimal places, unit €". */
export function describeField(field: FileField): string {
  const { type, format, language, scale, decimalSeparator, groupSeparator, unit, booleans, nullTokens } = field;
  const parts = [
    format,
    language && `in ${LANGUAGES.of(language)}`,
    type === 'Decimal' && typeof scale === 'number' && `${scale} decimal ${scale === 1 ? 'place' : 'places'}`,
    decimalSeparator === ',' && 'decimal comma',
    groupSeparator && `thousands separated by ${groupSeparator === ' ' ? 'a space' : groupSeparator}`,
    unit && `unit ${unit}`,
    booleans?.join('/'),
    nullTokens && nullTokens.length > 0 && `missing: ${nullTokens.join(', ')}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });
