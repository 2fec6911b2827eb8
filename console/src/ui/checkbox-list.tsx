interface CheckboxListProps {
  label: string;
  /** Name of the form field. The form contains the values of the checked boxes. */
  name: string;
  options: readonly { value: string; label: string; help?: string | undefined }[];
  checked: ReadonlySet<string>;
}

export function CheckboxList({ label, name, options, checked }: CheckboxListProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">{label}</legend>
      <div className="mt-2 max-h-64 space-y-2 overflow-auto rounded-lg border border-line p-3">
        {options.map(({ value, label, help }) => (
          <label key={value} className="flex items-start gap-2 text-sm">
            <input
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={checked.has(value)}
              className="mt-0.5 size-4 accent-accent"
            />
            <span className="min-w-0">
              {label}
              {help && <span className="block text-xs text-muted">{help}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
