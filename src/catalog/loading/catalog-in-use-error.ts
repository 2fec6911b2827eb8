/** The definitions of a load lack parts that connections use. The load has changed nothing. */
export class CatalogInUseError extends Error {
  override readonly name = 'CatalogInUseError';

  /** `paths` are catalog paths, such as `github/github`, `github/github/token` or `github/groupings/issues`. */
  constructor(paths: readonly string[]) {
    super(
      `the definitions lack ${paths.join(', ')}, which connections (possibly deleted ones) use; restore these definitions, and set releaseStatus: archived on connectors that must accept no new connections`,
    );
  }
}
