import { X } from 'lucide-react';
import { Button } from '../../ui/button.js';
import { INPUT_CLASSES } from '../../ui/text-field.js';
import type { settingsRoute } from './settings-route.js';

type Search = ReturnType<typeof settingsRoute.useSearch>;

/** A click in the table sets these filters. */
const CHIPS = { action: 'Action', actor: 'Actor', object: 'Object', request: 'Request' } as const;

interface AuditFiltersProps {
  search: Search;
  onChange: (more: Partial<Search>) => void;
  onClear: () => void;
}

export function AuditFilters({ search, onChange, onClear }: AuditFiltersProps) {
  const chips = (Object.keys(CHIPS) as (keyof typeof CHIPS)[]).filter((name) => search[name]);
  const isFiltered = chips.length > 0 || search.from || search.until;
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3 text-sm">
      <DayField label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DayField label="Until" value={search.until} onChange={(until) => onChange({ until })} />
      {chips.map((name) => (
        <Button key={name} className="max-w-full" onClick={() => onChange({ [name]: undefined })}>
          <span className="truncate">
            {CHIPS[name]}: {search[name]}
          </span>
          <X aria-hidden className="size-3.5 shrink-0" />
          <span className="sr-only">Remove the filter</span>
        </Button>
      ))}
      {isFiltered && (
        <Button kind="quiet" onClick={onClear}>
          Clear all
        </Button>
      )}
      {!isFiltered && <p className="py-2 text-muted">To filter, choose an action, actor or object in the table.</p>}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label className="font-medium">
      {label}
      <input
        type="date"
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        className={INPUT_CLASSES}
      />
    </label>
  );
}
