import type { PaginationRestart } from '../../catalog/model/pagination.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import type { PageToken } from '../page-token.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';

/**
 * If the next page could exceed the limit of the source (`afterRecords`), restarts the query after the last record. At
 * the limit, restarts the query even if `next` is undefined, because some sources then report no next page. Throws
 * `TapReadError` if the key of the last record is missing or has not changed.
 */
export function withRestart(
  { afterRecords, keyField }: PaginationRestart,
  token: PageToken,
  { records }: Pick<TapPage, 'records'>,
  next: PageToken | undefined,
): PageToken | undefined {
  const total = (token.records ?? 0) + records.length;
  if (total + records.length <= afterRecords || (!next && total < afterRecords))
    return (
      next && { ...next, ...(token.restartAfter !== undefined && { restartAfter: token.restartAfter }), records: total }
    );
  const last = records.at(-1);
  if (last === undefined) return undefined;
  const key = valueAtPath(last, keyField);
  if (key === undefined || key === null || key === token.restartAfter)
    throw new TapReadError(
      'contract',
      'fail_tap',
      `The query cannot restart: ${keyField} of the last record is missing, or is unchanged since the previous restart.`,
    );
  return { restartAfter: key, records: 0 };
}
