import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Lean } from '../../kernel/reading/reader.js';
import { TableFile } from '../table-file.js';
import { tableFileKey } from '../table-file-key.js';

@Resolver(() => TableFile)
export class TableFileResolver {
  @FieldResolver()
  key(@Root() { table, ...place }: Lean<TableFile>): string {
    return tableFileKey({ ...place, tableId: table });
  }
}
