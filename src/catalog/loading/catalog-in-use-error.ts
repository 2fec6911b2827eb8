/** The definitions lack what connections of workspaces are made of. Nothing was changed. */
export class CatalogInUseError extends Error {
  override readonly name = 'CatalogInUseError';

  /** `paths` such as `github/github`, `github/github/token` and `github/groupings/issues`. */
  constructor(paths: readonly string[]) {
    super(
      `the catalog lacks ${paths.join(', ')}, which connections are made of, perhaps deleted ones; keep it, and set releaseStatus: archived for a connector that takes no new ones`,
    );
  }
}
