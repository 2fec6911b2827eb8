import type { CatalogTable } from '../../tables/catalog-table.js';
import { toStoredFile } from '../../tables/table-file-key.js';
import type { WrittenFile } from '../../tables/written-file.js';
import type { InspectedRows } from '../checks/inspection.js';

interface FileOwner extends Pick<CatalogTable, 'tenantId' | 'schema' | 'rejectedRows'> {
  readonly tableId: string;
}

export function toInspectedRows(
  owner: FileOwner,
  files: readonly Pick<WrittenFile, 'id' | 'rows' | 'bytes' | 'lastReceivedAt'>[],
): InspectedRows {
  const latest = files.reduce((last, file) => Math.max(last, file.lastReceivedAt.getTime()), Number.NEGATIVE_INFINITY);
  return {
    files: files.map((file) => toStoredFile(owner, { ...file, kind: 'data' })),
    ...{ schema: owner.schema, rejectedRows: owner.rejectedRows, rows: sumRows(files) },
    lastReceivedAt: files.length > 0 ? new Date(latest) : undefined,
  };
}

export function sumRows(files: readonly { readonly rows: number }[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}
