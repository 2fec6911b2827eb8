import { classNames } from './class-names.js';
import { scrollIntoRow } from './scroll-into-row.js';

interface TabsProps {
  label: string;
  tabs: readonly { key: string; label: string }[];
  current: string;
  onChange: (key: string) => void;
}

/** The page stores the selected tab in its URL. */
export function Tabs({ label, tabs, current, onChange }: TabsProps) {
  return (
    <nav aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ key, label }) => (
        <button
          key={key}
          type="button"
          ref={key === current ? scrollIntoRow : undefined}
          aria-current={key === current ? 'page' : undefined}
          onClick={() => onChange(key)}
          className={classNames(
            '-mb-px shrink-0 border-b-2 px-4 py-2 text-sm',
            key === current ? 'border-accent font-medium text-accent' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}
