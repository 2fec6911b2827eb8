import type { CombinedError } from 'urql';
import { Button } from './button.js';
import { describeError } from './describe-error.js';
import { Notice } from './notice.js';

export function FailureNotice({ error, onRetry }: { error: CombinedError; onRetry?: () => void }) {
  const { message, requestId } = describeError(error);
  return (
    <Notice tone="bad" title={message} actions={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      {requestId && (
        <p>
          Request <code className="select-all">{requestId}</code>
        </p>
      )}
    </Notice>
  );
}
