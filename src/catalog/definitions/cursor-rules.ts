import type { Pagination } from '../model/pagination.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

type Report = (at: DefinitionPath, rule: string, message: string) => void;

export function checkCursorRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.taps.flatMap((tap, index) => {
    const faults: DefinitionFault[] = [];
    const report: Report = (at, rule, message) =>
      faults.push({ path: [...path, 'taps', index, ...at], rule, message: `${tap.name}: ${message}` });
    tap.transportOptions.forEach(({ pagination }, option) => {
      const at = ['transportOptions', option, 'pagination'];
      if (pagination) checkPagination(pagination, at, report);
      if (pagination?.maxRecords !== undefined) checkResultCap(tap, pagination, [...at, 'maxRecords'], report);
    });
    checkCursorExpiry(tap, report);
    return faults;
  });
}

function checkPagination(
  { cursor, offset, pageNumber, restart }: Pagination,
  at: DefinitionPath,
  report: Report,
): void {
  const { cursorLinkParam, cursorPath, cursorHeader, cursorIsFullUrl, cursorIsNumber, cursorIsObject } = cursor ?? {};
  if (cursorLinkParam && ((!cursorPath && !cursorHeader) || cursorIsFullUrl)) {
    const message = 'cursorLinkParam requires cursorPath or cursorHeader, and cannot be combined with cursorIsFullUrl';
    report([...at, 'cursor', 'cursorLinkParam'], 'cursor-is-cut-from-link', message);
  }
  if (cursorIsObject && (cursorHeader || cursorLinkParam || cursorIsFullUrl || cursor?.cursorParam))
    report(
      [...at, 'cursor', 'cursorIsObject'],
      'cursor-object-is-whole',
      'cursorIsObject cannot be combined with cursorHeader, cursorLinkParam, cursorIsFullUrl or cursorParam',
    );
  if (cursorIsNumber && (!cursorHeader || !cursor?.cursorBodyPath || cursorLinkParam || cursorIsFullUrl))
    report(
      [...at, 'cursor', 'cursorIsNumber'],
      'cursor-number-is-in-header',
      'cursorIsNumber requires cursorHeader and cursorBodyPath, and cannot be combined with cursorLinkParam or cursorIsFullUrl',
    );
  for (const [settings, { paramLocation }] of Object.entries({ offset: offset ?? {}, pageNumber: pageNumber ?? {} }))
    if (paramLocation !== undefined && paramLocation !== 'query' && paramLocation !== 'body')
      report([...at, settings, 'paramLocation'], 'page-location-exists', 'paramLocation must be query or body');
  if (restart && restart.afterRecords < 1)
    report([...at, 'restart', 'afterRecords'], 'restart-has-records', 'afterRecords must be at least 1');
}

function checkResultCap({ sync }: TapDefinition, pagination: Pagination, at: DefinitionPath, report: Report): void {
  const { sinceParam, queryParam, bodyFilterPath, untilParam, queryTemplate, bodyFilterEndPath, bodyFilterTemplate } =
    sync.incrementalParams ?? {};
  const hasStart = sinceParam ?? queryParam ?? bodyFilterPath;
  const hasEnd =
    untilParam ?? bodyFilterEndPath ?? [queryTemplate, bodyFilterTemplate].find((text) => text?.includes('{until}'));
  if (sync.mode !== 'incremental' || !hasStart || !hasEnd)
    report(
      at,
      'result-cap-has-windows',
      'maxRecords requires sync mode incremental, and incrementalParams for the start and the end of a window',
    );
  if (pagination.restart) report(at, 'result-cap-is-one', 'maxRecords and restart cannot be combined');
  if ((pagination.maxRecords ?? 1) < 1) report(at, 'result-cap-has-records', 'maxRecords must be at least 1');
}

function checkCursorExpiry({ sync }: TapDefinition, report: Report): void {
  const { onCursorExpired: expiry, mode } = sync;
  if (!expiry) return;
  const at = ['sync', 'onCursorExpired'];
  if (mode !== 'incremental')
    report(at, 'cursor-can-expire', `a tap with sync mode ${mode} has no cursor. Remove onCursorExpired`);
  if (Boolean(expiry.jmesPath) !== Boolean(expiry.values?.length))
    report(at, 'expiry-is-recognizable', 'jmesPath and values must be set together');
}
