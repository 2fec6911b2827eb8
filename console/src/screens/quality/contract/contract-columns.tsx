import { Card } from '../../../ui/card.js';
import { SelectField } from '../../../ui/select-field.js';
import type { Draft } from './contract-draft.js';

interface ContractColumnsProps {
  draft: Draft;
  columns: readonly string[];
  onChange: (part: Partial<Draft>) => void;
}

export function ContractColumns({ draft, columns, onChange }: ContractColumnsProps) {
  const { primaryKey, sensitiveColumns, timestampColumn } = draft;
  const options = { '': 'Time of receipt', ...Object.fromEntries(columns.map((name) => [name, name])) };
  return (
    <Card title="Columns">
      <div className="space-y-5 px-5 py-4">
        <ColumnSet
          label="Primary key"
          help="Columns that together identify a record."
          columns={columns}
          chosen={primaryKey}
          onChange={(next) => onChange({ primaryKey: next })}
        />
        <div className="max-w-sm">
          <SelectField
            label="Time of a record"
            name="timestampColumn"
            options={options}
            value={timestampColumn ?? ''}
            onChange={(column) => onChange({ timestampColumn: column || null })}
          />
        </div>
        <ColumnSet
          label="Sensitive columns"
          help="Values of these columns never appear in results. If you add a column to this list, the service also removes its values from the stored results."
          columns={columns}
          chosen={sensitiveColumns}
          onChange={(next) => onChange({ sensitiveColumns: next })}
        />
      </div>
    </Card>
  );
}

interface ColumnSetProps {
  label: string;
  help: string;
  columns: readonly string[];
  chosen: readonly string[];
  onChange: (columns: string[]) => void;
}

function ColumnSet({ label, help, columns, chosen, onChange }: ColumnSetProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">{label}</legend>
      <p className="mb-2 text-xs text-muted">{help}</p>
      <div className="flex max-h-44 flex-wrap gap-x-5 gap-y-1.5 overflow-auto text-sm">
        {columns.map((column) => (
          <label key={column} className="flex items-center gap-2 font-mono text-xs">
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.includes(column)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, column] : chosen.filter((one) => one !== column))
              }
            />
            {column}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
