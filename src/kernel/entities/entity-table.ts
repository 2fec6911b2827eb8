export type EntityRow = Record<string, unknown>;

export interface EntityTable {
  readonly name: string;
  readonly select: string;
  readonly orderBy: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly names: readonly string[];
  /**
   * SQL that collects each selected column into one JSON array. Undefined if a selected column is JSON, because Node
   * would parse the documents of all rows, even if no code reads them.
   */
  readonly arrays: string | undefined;
  /** Column with the workspace id. Undefined for tables that all workspaces share. */
  readonly tenantColumn: string | undefined;
  readonly decode: (values: (string | null)[]) => EntityRow;
  readonly decodeAt: (arrays: readonly unknown[][], at: number) => EntityRow;
  /**
   * Returns the same table with only these columns. Any other property of a row is undefined, and reading it calls
   * `report`.
   */
  readonly only: (properties: ReadonlySet<string>, report: (property: string) => void) => EntityTable;
}
