import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { FailureNotice } from './failure-notice.js';
import { Loading } from './loading.js';

interface QueryViewProps<Data> {
  result: { data?: Data | undefined; error?: CombinedError | undefined; fetching: boolean };
  onRetry: () => void;
  children: (data: Data) => ReactNode;
}

/** If a part of the query failed, shows the error above the data. If the whole query failed, shows only the error. */
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
