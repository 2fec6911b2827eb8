import { SelectField } from '../../../ui/select-field.js';

interface ColumnSelectProps {
  label: string;
  name: string;
  columns: readonly string[];
  value: string;
  onChange: (column: string) => void;
}

export function ColumnSelect({ columns, ...field }: ColumnSelectProps) {
  const options = Object.fromEntries(columns.map((column) => [column, column]));
  return (
    <div className="min-w-40 flex-1">
      <SelectField {...field} options={options} />
    </div>
  );
}
