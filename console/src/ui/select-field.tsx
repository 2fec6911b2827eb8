import { useId } from 'react';
import { INPUT_CLASSES } from './text-field.js';

interface SelectFieldProps<Value extends string> {
  label: string;
  name: string;
  /** Values and their labels, in the order of the drop-down list. */
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, name, options, value, onChange }: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
        className={INPUT_CLASSES}
      >
        {Object.entries<string>(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
