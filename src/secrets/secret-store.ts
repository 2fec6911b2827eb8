/**
 * The workspace and record of secrets. Sealed values can be opened only with the same location. Both the workspace and
 * the record are ids. The id of a record may have a suffix, such as `ID.session`.
 */
export interface SecretLocation {
  readonly tenantId: string;
  readonly recordId: string;
}

/** Values stored in the database in place of the secrets, by field. They reveal at most the length of a secret. */
export type SealedSecrets = Readonly<Record<string, string>>;

/** Plaintext secrets by field. Held in memory for one call and sent only to the source. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Stores secrets. A driver throws `SecretsUnreadable`, without details, for sealed values that were moved, changed or
 * cut, and AppError UNAVAILABLE if the store cannot be reached. Call this outside transactions: the driver uses its own
 * database connection or the network.
 */
export interface SecretStore {
  /** Sealing the secrets of a record again returns new values; the record decides which values are current. */
  seal(place: SecretLocation, secrets: Secrets): Promise<SealedSecrets>;
  open(place: SecretLocation, sealed: SealedSecrets): Promise<Secrets>;
  /**
   * Removes the values that the driver stores outside the database. Call it after the record has dropped its sealed
   * values.
   */
  destroy(place: SecretLocation, sealed: SealedSecrets): Promise<void>;
}

export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';

  constructor() {
    super('The stored secrets cannot be decrypted.');
  }
}
