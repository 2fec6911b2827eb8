import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Lean } from '../../kernel/reading/reader.js';
import type { TableContext } from '../table-context.js';
import { TableFile } from '../table-file.js';
import { tableFileKey } from '../table-file-key.js';

@Resolver(() => TableFile)
export class TableFileResolver {
  @FieldResolver()
  key(@Root() file: Lean<TableFile>): string {
    return keyOf(file);
  }

  @FieldResolver()
  url(@Root() file: Lean<TableFile>, @Ctx() { tableServices }: TableContext): string | undefined {
    return tableServices.store.urlOf(keyOf(file));
  }
}

function keyOf({ tenantId, table, kind, id }: Lean<TableFile>): string {
  return tableFileKey({ tenantId, tableId: table, kind, id });
}
