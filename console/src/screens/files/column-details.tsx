import { useState } from 'react';
import type { ArtifactColumnType } from '../../gql/graphql.js';
import { SelectField } from '../../ui/select-field.js';
import { TextField } from '../../ui/text-field.js';
import type { FileField } from './file-query.js';

type Detail = 'format' | 'scale' | 'decimalSeparator' | 'groupSeparator' | 'unit' | 'parentheses' | 'booleans';

const DETAILS: Readonly<Record<ArtifactColumnType, readonly Detail[]>> = {
  String: [],
  Boolean: ['booleans'],
  Integer: ['groupSeparator'],
  Decimal: ['scale', 'decimalSeparator', 'groupSeparator', 'unit', 'parentheses'],
  Double: ['decimalSeparator', 'groupSeparator'],
  Date: ['format'],
  DateTime: ['format'],
  DateTimeOffset: ['format'],
  Time: ['format'],
  UUID: [],
  JSON: [],
};

const DECIMAL_SEPARATORS = { '': 'Detected', '.': 'Point: 1.5', ',': 'Comma: 1,5' };
const GROUP_SEPARATORS = { '': 'Detected or none', ',': '1,000', '.': '1.000', ' ': '1 000', "'": "1'000" };

interface ColumnDetailsProps {
  type: ArtifactColumnType;
  /** Undefined if the type of the column is not `type`. */
  field: FileField | undefined;
  onEdit: () => void;
}

export function ColumnDetails({ type, field, onEdit }: ColumnDetailsProps) {
  const [decimal, setDecimal] = useState(field?.decimalSeparator ?? '');
  const [group, setGroup] = useState(field?.groupSeparator ?? '');
  const has = (detail: Detail): boolean => DETAILS[type].includes(detail);
  return (
    <fieldset className="space-y-4" onChange={onEdit}>
      <legend className="sr-only">Properties of the type</legend>
      {has('format') && <FormatFields field={field} />}
      {has('booleans') && (
        <TextField
          label="Words for true and false"
          name="booleans"
          placeholder="yes/no"
          defaultValue={field?.booleans?.join('/') ?? ''}
        />
      )}
      {has('scale') && (
        <TextField label="Decimal places" name="scale" type="number" defaultValue={String(field?.scale ?? '')} />
      )}
      <div className="grid gap-4 empty:hidden sm:grid-cols-2">
        {has('decimalSeparator') && (
          <SelectField
            label="Decimal separator"
            name="decimalSeparator"
            options={DECIMAL_SEPARATORS}
            value={decimal as keyof typeof DECIMAL_SEPARATORS}
            onChange={setDecimal}
          />
        )}
        {has('groupSeparator') && (
          <SelectField
            label="Thousands separator"
            name="groupSeparator"
            options={GROUP_SEPARATORS}
            value={group as keyof typeof GROUP_SEPARATORS}
            onChange={setGroup}
          />
        )}
      </div>
      {has('unit') && <TextField label="Unit" name="unit" placeholder="%, € or EUR" defaultValue={field?.unit ?? ''} />}
      {has('parentheses') && (
        <Choice
          name="negativeInParentheses"
          label="Numbers in parentheses are negative"
          isChecked={field?.negativeInParentheses === true}
        />
      )}
      <TextField
        label="Texts that mean a missing value"
        name="nullTokens"
        placeholder="n/a, tbd"
        help="Separate the texts with commas. The service ignores case."
        defaultValue={field?.nullTokens?.join(', ') ?? ''}
      />
      <Choice name="nullable" label="Accept missing values" isChecked={field?.nullable === true} />
    </fieldset>
  );
}

function FormatFields({ field }: { field: FileField | undefined }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[1fr_11rem]">
      <TextField
        label="Format"
        name="format"
        placeholder="dd.MM.yyyy"
        help="Day dd, month MM, year yyyy, hour HH, minute mm, second ss, offset XXX, name of the month MMMM."
        defaultValue={field?.format ?? ''}
      />
      <TextField label="Language" name="language" placeholder="de" defaultValue={field?.language ?? ''} />
    </div>
  );
}

function Choice({ name, label, isChecked }: { name: string; label: string; isChecked: boolean }) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input type="checkbox" name={name} defaultChecked={isChecked} className="size-4 accent-accent" />
      {label}
    </label>
  );
}
