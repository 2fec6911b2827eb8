import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';

/** The console shows this page if it cannot read its settings from the service. */
export function StartFailure({ message }: { message: string }) {
  return (
    <EmptyState title="The console cannot start" action={<Button onClick={() => location.reload()}>Try again</Button>}>
      {message}
    </EmptyState>
  );
}
