import type { ConnectorDefinition, Fault, Path, TapDefinition } from './definition.js';
import { complaintAbout } from './definition-verification-rules.js';
import type { Pagination } from './pagination.js';

type Report = (at: Path, rule: string, message: string) => void;

/** How a tap reads on: the cursor of the next page, the limit of one query, and a start that the vendor forgot. */
export function cursorRules(connector: ConnectorDefinition, path: Path): Fault[] {
  return connector.taps.flatMap((tap, index) => {
    const faults: Fault[] = [];
    const report: Report = (at, rule, message) =>
      faults.push({ path: [...path, 'taps', index, ...at], rule, message: `${tap.name}: ${message}` });
    tap.transportOptions.forEach(({ pagination }, option) => {
      if (pagination) pagingIsPossible(pagination, ['transportOptions', option, 'pagination'], report);
    });
    expiryIsRecognizable(tap, report);
    return faults;
  });
}

function pagingIsPossible({ cursor, restart }: Pagination, at: Path, report: Report): void {
  if (cursor?.cursorLinkParam && (!cursor.cursorPath || cursor.cursorIsFullUrl)) {
    const message = 'cursorLinkParam needs cursorPath, and excludes cursorIsFullUrl';
    report([...at, 'cursor', 'cursorLinkParam'], 'cursor-is-cut-from-link', message);
  }
  if (restart && restart.afterRecords < 1)
    report([...at, 'restart', 'afterRecords'], 'restart-has-records', 'afterRecords must be at least 1');
}

function expiryIsRecognizable({ sync }: TapDefinition, report: Report): void {
  const { onCursorExpired: expiry, mode } = sync;
  if (!expiry) return;
  const at = ['sync', 'onCursorExpired'];
  if (mode !== 'incremental') report(at, 'cursor-can-expire', `a tap that is read by mode ${mode} has no cursor`);
  if (Boolean(expiry.jmesPath) !== Boolean(expiry.values?.length))
    report(at, 'expiry-is-recognizable', 'jmesPath and values need each other');
  const complaint = expiry.jmesPath && complaintAbout(expiry.jmesPath);
  if (complaint) report([...at, 'jmesPath'], 'expression-compiles', `jmesPath is no JMESPath: ${complaint}`);
}
