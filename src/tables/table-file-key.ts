import { decodeId } from '../kernel/ids.js';
import type { TableFileKind } from './table-file.js';

interface TableFileLocation {
  readonly tenantId: string;
  readonly tableId: string;
  readonly kind: TableFileKind;
  readonly id: string;
}

/** The key of the file in the file store. */
export function tableFileKey({ tenantId, tableId, kind, id }: TableFileLocation): string {
  return `tables/${decodeId(tenantId)}/${decodeId(tableId)}/${kind}/${decodeId(id)}.parquet`;
}
