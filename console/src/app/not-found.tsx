import { buttonClasses } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';

export function NotFound() {
  return (
    <EmptyState
      title="This page does not exist"
      action={
        <a href="/" className={buttonClasses('primary')}>
          Go to the start page
        </a>
      }
    >
      The address is wrong, or the object was deleted.
    </EmptyState>
  );
}
