import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** Content that replaces the title text, such as a logo with the title. */
  heading?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The page above this page in the navigation, for a link back. */
  parent?: { label: string; to: string };
  children: ReactNode;
}

export function Page({ title, heading, lead, actions, parent, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Taproot`;
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      {parent && (
        <Link to={parent.to} className="mb-2 inline-block text-sm text-muted hover:text-ink">
          ← {parent.label}
        </Link>
      )}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight">{heading ?? title}</h1>
          {lead && <p className="mt-1 max-w-2xl text-sm text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
