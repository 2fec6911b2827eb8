import { useId } from 'react';

interface TextFieldProps {
  label: string;
  name: string;
  help?: string | undefined;
  type?: string;
  defaultValue?: string;
  required?: boolean;
  isMultiline?: boolean;
  placeholder?: string | undefined;
  autoComplete?: string;
}

export const INPUT_CLASSES = 'mt-1 w-full rounded-lg border border-line bg-surface px-3 py-2 text-sm';

export function TextField({ label, help, isMultiline = false, required = false, ...input }: TextFieldProps) {
  const id = useId();
  const Input = isMultiline ? 'textarea' : 'input';
  return (
    <div>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {!required && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <Input
        id={id}
        required={required}
        aria-describedby={help ? `${id}-help` : undefined}
        className={INPUT_CLASSES}
        {...(isMultiline && { rows: 4 })}
        {...input}
      />
      {help && (
        <p id={`${id}-help`} className="mt-1 text-xs text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
