import { Link } from '@tanstack/react-router';
import { Cable, House, LibraryBig, Table2 } from 'lucide-react';

/** The sections of the console, in the order in which people need them. */
const SECTIONS = [
  { to: '/w/$workspace', label: 'Home', icon: House, exact: true },
  { to: '/w/$workspace/connections', label: 'Connections', icon: Cable, exact: false },
  { to: '/w/$workspace/tables', label: 'Tables', icon: Table2, exact: false },
  { to: '/w/$workspace/catalog', label: 'Catalog', icon: LibraryBig, exact: false },
] as const;

export function Navigation({ workspace }: { workspace: string }) {
  return (
    <nav aria-label="Sections" className="flex gap-1 overflow-x-auto lg:flex-col">
      {SECTIONS.map(({ to, label, icon: Icon, exact }) => (
        <Link
          key={to}
          to={to}
          params={{ workspace }}
          activeOptions={{ exact, includeSearch: false }}
          className="flex shrink-0 items-center gap-3 rounded-lg px-3 py-2 text-sm text-muted hover:bg-sunken hover:text-ink"
          activeProps={{ className: 'bg-accent-soft font-medium text-accent!' }}
        >
          <Icon aria-hidden className="size-4" />
          {label}
        </Link>
      ))}
    </nav>
  );
}
