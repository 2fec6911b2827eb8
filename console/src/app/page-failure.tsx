import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';

/** Shown if a page throws, for example because a new version of the console replaced its files. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <EmptyState title="This page failed" action={<Button onClick={() => location.reload()}>Reload</Button>}>
      {error instanceof Error ? error.message : String(error)}
    </EmptyState>
  );
}
