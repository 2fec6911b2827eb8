import { Button } from './button.js';
import { PAGE_SIZE } from './list-page.js';

interface PagerProps {
  /** Starts at 1. */
  page: number;
  /** Number of rows on all pages. */
  total: number;
  onChange: (page: number) => void;
}

export function Pager({ page, total, onChange }: PagerProps) {
  const pages = Math.ceil(total / PAGE_SIZE);
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-end gap-3 text-sm text-muted">
      Page {page} of {pages}
      <Button disabled={page <= 1} onClick={() => onChange(page - 1)}>
        Previous
      </Button>
      <Button disabled={page >= pages} onClick={() => onChange(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
