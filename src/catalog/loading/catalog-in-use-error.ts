/** The definitions lack parts that connections use. The load has changed nothing. */
export class CatalogInUseError extends Error {
  override readonly name = 'CatalogInUseError';

  constructor(paths: readonly string[]) {
    super(
      `the definitions lack ${paths.join(', ')}, which current or deleted connections refer to. Restore these definitions. To stop new connections without removing a connector, set its releaseStatus to archived`,
    );
  }
}
