import { Link, useRouterState } from '@tanstack/react-router';
import { Cable, ChartSpline, FileUp, House, Inbox, LibraryBig, Settings, Table2 } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { Permissions } from '../session/permissions.js';
import { scrollIntoRow } from '../ui/scroll-into-row.js';

const SECTIONS = [
  { to: '/w/$workspace', label: 'Home', icon: House, exact: true },
  { to: '/w/$workspace/connections', label: 'Connections', icon: Cable, exact: false },
  { to: '/w/$workspace/files', label: 'Files', icon: FileUp, exact: false },
  { to: '/w/$workspace/tables', label: 'Tables', icon: Table2, exact: false },
  { to: '/w/$workspace/quality', label: 'Quality', icon: ChartSpline, exact: false },
  { to: '/w/$workspace/ingest', label: 'Ingest', icon: Inbox, exact: false },
  { to: '/w/$workspace/catalog', label: 'Catalog', icon: LibraryBig, exact: false },
  { to: '/w/$workspace/settings', label: 'Settings', icon: Settings, exact: false },
] as const;

/** Permission that the service requires for the data of each section. */
const NEEDED: Readonly<Record<string, string>> = {
  '/w/$workspace/connections': 'connectors:read',
  '/w/$workspace/files': 'artifacts:read',
  '/w/$workspace/tables': 'catalog:read',
  '/w/$workspace/quality': 'catalog:read',
  '/w/$workspace/ingest': 'connectors:read',
};

export function Navigation({ workspace }: { workspace: string }) {
  const permissions = use(Permissions);
  const row = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current link
  useEffect(() => scrollIntoRow(row.current?.querySelector('[aria-current=page]')), [path]);
  const sections = SECTIONS.filter(({ to }) => NEEDED[to] === undefined || permissions.has(NEEDED[to]));
  return (
    <nav ref={row} aria-label="Sections" className="flex gap-1 overflow-x-auto lg:flex-col">
      {sections.map(({ to, label, icon: Icon, exact }) => (
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
