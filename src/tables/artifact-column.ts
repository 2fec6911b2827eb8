import { Field, InputType, Int } from 'type-graphql';
import type { FieldType } from '../csv/model/data-schema.js';
import type { GivenField } from '../csv/types/change-fields.js';
import { OptionalField, PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { Limits } from '../kernel/entities/field-limits.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';

const ArtifactColumnType = wireEnum('ArtifactColumnType', 'Type of a column.', {
  String: 'Any text.',
  Boolean: 'True or false. The column contains one pair of words, such as `yes` and `no`.',
  Integer: 'An integer of 64 bits.',
  Decimal: 'An exact number of up to 38 digits.',
  Double: 'A floating-point number of 64 bits.',
  Date: 'A date.',
  DateTime: 'A date and time without an offset.',
  DateTimeOffset: 'A date and time with an offset from UTC.',
  Time: 'A time of day.',
  UUID: 'A UUID.',
  JSON: 'A JSON object or array.',
} satisfies Record<FieldType, string>);

const SEPARATOR = { minLength: 1, maxLength: 1 } as const;

@InputType('ArtifactColumnInput', {
  description:
    'Type of a column of a file. `checkArtifactColumns` determines omitted properties from the values. `publishArtifact` requires `format` for dates and times, and `scale` for a Decimal. The service rejects a property that does not apply to the type.',
})
@PlainObjectType('Type of a column of a file.')
export class ArtifactColumn implements GivenField {
  @RequiredField('Name of the column.')
  @Limits({ minLength: 1, maxLength: 256 })
  name: string;

  @RequiredField('Type of the values.', () => ArtifactColumnType)
  type: FieldType;

  @OptionalField('Pattern of a Date, DateTime, DateTimeOffset or Time (Unicode TR 35), such as `dd.MM.yyyy`.')
  @Limits({ minLength: 1, maxLength: 64 })
  format?: string;

  @OptionalField('Language (ISO 639-1) of the names of months and weekdays in the values. Null means English.')
  @Limits({ minLength: 2, maxLength: 2 })
  language?: string;

  @OptionalField('Number of digits of a Decimal, 1 to 38.', () => Int)
  @Limits({ minimum: 1, maximum: 38 })
  precision?: number;

  @OptionalField('Number of decimal places of a Decimal, 0 to 38.', () => Int)
  @Limits({ minimum: 0, maximum: 38 })
  scale?: number;

  @OptionalField('Decimal separator of a Decimal or Double: `.` or `,`. Null means `.`.')
  @Limits(SEPARATOR)
  decimalSeparator?: string;

  @OptionalField(
    "Thousands separator of an Integer, Decimal or Double: `,`, `.`, `'` or a space. Null means no separator.",
  )
  @Limits(SEPARATOR)
  groupSeparator?: string;

  @OptionalField(
    'Unit of all values of a Decimal: `%`, or the sign or ISO 4217 code of a currency. Null without a unit.',
  )
  @Limits({ minLength: 1, maxLength: 3 })
  unit?: string;

  @OptionalField('True for a Decimal with negative numbers in parentheses. Otherwise null.', () => Boolean)
  negativeInParentheses?: true;

  @OptionalField('The two words of a Boolean, in lower case: first the word for true, then the word for false.', () => [
    String,
  ])
  @Limits({ minItems: 2, maxItems: 2, minLength: 1, maxLength: 64 })
  booleans?: [yes: string, no: string];

  @OptionalField(
    'Whether values may be missing. In a request, defaults to true if the column has missing values or `nullTokens`.',
    () => Boolean,
  )
  nullable?: boolean;

  @OptionalField(
    'Texts that mean a missing value, at most 20. The service ignores their case, and returns them in lower case.',
    () => [String],
  )
  @Limits({ maxItems: 20, minLength: 1, maxLength: 64 })
  nullTokens?: string[];
}

/** Maximum number of columns in a file, and therefore in a request. */
const MAX_FILE_COLUMNS = 4_096;

export function ColumnsField(description: string): PropertyDecorator {
  const field = Field(() => [ArtifactColumn], { description, nullable: true });
  const limits = Limits({ maxItems: MAX_FILE_COLUMNS });
  return (target, key) => {
    field(target, key);
    limits(target, key);
  };
}

/** Omits nulls, and converts `booleans` and `nullTokens` to lower case. */
export function givenFieldsOf(columns: readonly ArtifactColumn[]): GivenField[] {
  const lower = (texts: readonly string[] | null | undefined) => texts?.map((text) => text.trim().toLowerCase());
  return columns.map((column) => {
    const given = { ...column, booleans: lower(column.booleans), nullTokens: lower(column.nullTokens) };
    const entries = Object.entries(given).filter(([name, value]) => isGiven(name, value));
    return Object.fromEntries(entries) as unknown as GivenField;
  });
}

function isGiven(name: string, value: unknown): boolean {
  return value !== null && value !== undefined && !(name === 'negativeInParentheses' && value === false);
}
