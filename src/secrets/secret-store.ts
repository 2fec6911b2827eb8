/**
 * Whose secrets, and of which record: sealed values open in this place alone. Both are ids; that of a
 * record may have a part behind it, as `ID.session` does.
 */
export interface SecretLocation {
  readonly tenantId: string;
  readonly recordId: string;
}

/** What stands in the database in place of the secrets, by field. It says nothing about them but their length at most. */
export type SealedSecrets = Readonly<Record<string, string>>;

/** The secrets themselves, by field. They live as long as one call, and go nowhere but to the source. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Where secrets are kept. A driver throws `SecretsUnreadable` for what was moved, changed or cut, and says no more; it
 * throws an AppError UNAVAILABLE where it cannot be asked. Its calls belong outside of a transaction: they take a
 * connection of their own, or leave the service.
 */
export interface SecretStore {
  /** Sealed once more, the secrets of a record replace those sealed before; which of the two count is up to the record. */
  seal(place: SecretLocation, secrets: Secrets): Promise<SealedSecrets>;
  open(place: SecretLocation, sealed: SealedSecrets): Promise<Secrets>;
  /** After the record has let go of them: removes what the driver keeps elsewhere. */
  destroy(place: SecretLocation, sealed: SealedSecrets): Promise<void>;
}

export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';

  constructor() {
    super('The stored secrets cannot be opened.');
  }
}
