/**
 * Values that were sealed with a location can be opened only with the same location. `recordId` is the id of the
 * record, optionally with a suffix, such as `ID.session`.
 */
export interface SecretLocation {
  readonly tenantId: string;
  readonly recordId: string;
}

/** The keys are field names. A value reveals at most the length of its secret. */
export type SealedSecrets = Readonly<Record<string, string>>;

/**
 * The keys are field names. The service holds the plaintext in memory for one call, and sends it only to the source or
 * the secret store.
 */
export type Secrets = Readonly<Record<string, string>>;

/**
 * A driver throws `SecretsUnreadable`, without details, for sealed values that were moved, changed or cut. A driver
 * throws AppError UNAVAILABLE if the store is unreachable. Callers must not hold a transaction, because the driver uses
 * its own database connection or the network.
 */
export interface SecretStore {
  /** Earlier sealed values of the record remain readable. The caller must store the new values in the record. */
  seal(place: SecretLocation, secrets: Secrets): Promise<SealedSecrets>;
  open(place: SecretLocation, sealed: SealedSecrets): Promise<Secrets>;
  /** The caller must first delete the sealed values from the record. */
  destroy(place: SecretLocation, sealed: SealedSecrets): Promise<void>;
}

export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';

  constructor() {
    super('The stored secrets cannot be decrypted.');
  }
}
