import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';

/**
 * Shown if another page throws, for example because a new version of the console has replaced the files of that page.
 */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <EmptyState
      title="An error occurred on this page"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      {error instanceof Error ? error.message : String(error)}
    </EmptyState>
  );
}
