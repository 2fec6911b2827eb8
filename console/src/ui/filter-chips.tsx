import { classNames } from './class-names.js';

interface FilterChipsProps {
  label: string;
  options: readonly { key: string; label: string; count?: number | undefined }[];
  current: string;
  onChange: (key: string) => void;
}

/** The page stores the selected filter in its URL. */
export function FilterChips({ label, options, current, onChange }: FilterChipsProps) {
  return (
    <fieldset className="mb-4 flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map(({ key, label, count }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === current}
          onClick={() => onChange(key)}
          className={classNames(
            'rounded-full border px-3 py-1 text-sm transition',
            key === current
              ? 'border-accent bg-accent-soft font-medium text-accent'
              : 'border-line bg-surface text-muted hover:text-ink',
          )}
        >
          {label}
          {count !== undefined && <span className="ml-1.5 tabular-nums">{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </fieldset>
  );
}
