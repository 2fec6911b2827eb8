import { decodeId } from '../kernel/ids.js';
import type { StoredFile } from './local-file-cache.js';
import type { TableFileKind } from './table-file.js';

interface TableFileLocation {
  readonly tenantId: string;
  readonly tableId: string;
  readonly kind: TableFileKind;
  readonly id: string;
}

export function tableFileKey({ tenantId, tableId, kind, id }: TableFileLocation): string {
  return `tables/${decodeId(tenantId)}/${decodeId(tableId)}/${kind}/${decodeId(id)}.parquet`;
}

export function toStoredFile(
  { tenantId, tableId }: Pick<TableFileLocation, 'tenantId' | 'tableId'>,
  { kind, id, bytes }: Pick<TableFileLocation, 'kind' | 'id'> & Pick<StoredFile, 'bytes'>,
): StoredFile {
  return { key: tableFileKey({ tenantId, tableId, kind, id }), bytes };
}
