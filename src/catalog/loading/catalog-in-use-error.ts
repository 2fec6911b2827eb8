/** The definitions lack objects that connections use, such as a connector. The catalog is unchanged. */
export class CatalogInUseError extends Error {
  override readonly name = 'CatalogInUseError';

  constructor(paths: readonly string[]) {
    super(
      `the definitions lack ${paths.join(', ')}, which current or deleted connections refer to. Restore these definitions. To stop new connections without removing a connector, set its releaseStatus to archived`,
    );
  }
}
