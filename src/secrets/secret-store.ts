/** Whose secrets, and of which record: sealed values open in this place alone. */
export interface SecretPlace {
  readonly tenantId: string;
  readonly recordId: string;
}

/** What stands in the database in place of the secrets, by field. It says nothing about them. */
export type Sealed = Readonly<Record<string, string>>;

/** The secrets themselves, by field. They live as long as one call, and go nowhere but to the source. */
export type Secrets = Readonly<Record<string, string>>;

/** Where secrets are kept. A driver throws `SecretsUnreadable` for what was moved, changed or cut, and says no more. */
export interface SecretStore {
  seal(place: SecretPlace, secrets: Secrets): Promise<Sealed>;
  open(place: SecretPlace, sealed: Sealed): Promise<Secrets>;
  /** After the record has let go of them: removes what the driver keeps elsewhere. */
  destroy(place: SecretPlace, sealed: Sealed): Promise<void>;
}

export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';

  constructor() {
    super('The stored secrets cannot be opened.');
  }
}
