import type { SpcSeriesKind } from '../../catalog/model/tap-quality-config.js';
import { decodeId } from '../../kernel/ids.js';
import type { ContractRule, ContractSeries } from './table-contract.js';

export function keyWithColumn(name: string, column: string | null | undefined): string {
  return column == null ? name : `${name}:${column}`;
}

/** Returns a key such as `COLUMN_NULL_RATE:email`. */
export function seriesKeyOf({ kind, column }: Pick<ContractSeries, 'kind' | 'column'>): string {
  return keyWithColumn(kind, column);
}

/** Returns `<contract>:<kind>[:<column>]`. */
export function seriesIdOf(contractId: string, key: string): string {
  return `${contractId}:${key}`;
}

export function seriesKindOf(key: string): SpcSeriesKind {
  return key.split(':', 1)[0] as SpcSeriesKind;
}

export function isShareKind(kind: SpcSeriesKind): boolean {
  return kind === 'COLUMN_NULL_RATE';
}

/** Returns undefined if the id is malformed. */
export function parseSeriesId(seriesId: string): { contractId: string; key: string } | undefined {
  const end = seriesId.indexOf(':');
  const contractId = seriesId.slice(0, end);
  return end > 0 && decodeId(contractId) ? { contractId, key: seriesId.slice(end + 1) } : undefined;
}

/** Returns a key such as `null_rate:email`. The check of the rule has this key in every result. */
export function ruleKeyOf({ type, column }: Pick<ContractRule, 'type' | 'column'>): string {
  return keyWithColumn(type, column);
}
