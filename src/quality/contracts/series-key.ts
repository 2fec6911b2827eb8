import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { decodeId } from '../../kernel/ids.js';
import type { ContractRule, ContractSeries } from './table-contract.js';

/** Names what is about a column, or about none. */
export function keyWithColumn(what: string, column: string | null | undefined): string {
  return column == null ? what : `${what}:${column}`;
}

/** Names a series within its contract: `COLUMN_NULL_RATE:email`. */
export function seriesKeyOf({ kind, column }: Pick<ContractSeries, 'kind' | 'column'>): string {
  return keyWithColumn(kind, column);
}

/** Names a series in the workspace: `<contract>:<kind>[:<column>]`. */
export function seriesIdOf(contractId: string, key: string): string {
  return `${contractId}:${key}`;
}

export function seriesKindOf(key: string): SpcSeriesKind {
  return key.split(':', 1)[0] as SpcSeriesKind;
}

/** The parts of such a name; undefined where it is none. */
export function parseSeriesId(seriesId: string): { contractId: string; key: string } | undefined {
  const end = seriesId.indexOf(':');
  const contractId = seriesId.slice(0, end);
  return end > 0 && decodeId(contractId) ? { contractId, key: seriesId.slice(end + 1) } : undefined;
}

/** Names a rule within its contract, and its check in each result: `null_rate:email`. */
export function ruleKeyOf({ type, column }: Pick<ContractRule, 'type' | 'column'>): string {
  return keyWithColumn(type, column);
}
