import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { FailureNotice } from './failure-notice.js';
import { Loading } from './loading.js';

interface QueryViewProps<Data> {
  result: { data?: Data | undefined; error?: CombinedError | undefined; fetching: boolean };
  onRetry: () => void;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, even if parts of the query failed. Shows the error above the data. */
export function QueryView<Data extends object>({ result: { data, error }, onRetry, children }: QueryViewProps<Data>) {
  const failed = error && Object.values(data ?? {}).every((value) => value === null);
  if (failed) return <FailureNotice error={error} onRetry={onRetry} />;
  if (!data) return <Loading />;
  return (
    <>
      {error && (
        <div className="mb-4">
          <FailureNotice error={error} onRetry={onRetry} />
        </div>
      )}
      {children(data)}
    </>
  );
}
