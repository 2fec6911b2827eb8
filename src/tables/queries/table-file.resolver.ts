import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Lean } from '../../kernel/reading/reader.js';
import { TableFile } from '../table-file.js';
import { tableFileKey } from '../table-file-key.js';

@Resolver(() => TableFile)
export class TableFileResolver {
  @FieldResolver()
  key(@Root() { tenantId, table, kind, id }: Lean<TableFile>): string {
    return tableFileKey({ tenantId, tableId: table, kind, id });
  }
}
