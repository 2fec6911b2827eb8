import { aSigningKey, type JwksSigningKey } from '../identity/jwks-server.js';
import { canaryValue } from '../secrets/canary-values.js';

type Fields = Readonly<Record<string, string>>;

/** What a customer types in to connect, in the fields of the strategy's schemas. */
export interface FakeCredential {
  readonly authenticationConfig: Fields;
  readonly ingestionConfig?: Fields;
  /** Texts that must never be seen again: the values of the secret fields, and what gives them away. */
  readonly secrets: readonly string[];
}

/** `secret` are the fields that the definition marks so. */
export function aFakeCredential(open: Fields, secret: Fields, ingestionConfig?: Fields): FakeCredential {
  const secrets = Object.values(secret).flatMap((value) => [value, ...linesOf(value)]);
  return { authenticationConfig: { ...open, ...secret }, ...(ingestionConfig && { ingestionConfig }), secrets };
}

/** The same but for its secrets, which nobody knows. */
export function withWrongSecretValues(credential: FakeCredential): FakeCredential {
  const { authenticationConfig, ingestionConfig, secrets } = credential;
  const isSecret = ([, value]: [string, string]) => secrets.includes(value);
  const fields = Object.entries(authenticationConfig);
  const other = ([name, value]: [string, string]) => [name, isPem(value) ? pemOf(aSigningKey()) : canaryValue()];
  return aFakeCredential(
    Object.fromEntries(fields.filter((field) => !isSecret(field))),
    Object.fromEntries(fields.filter(isSecret).map(other)),
    ingestionConfig,
  );
}

/** The private key as it stands in the file that a vendor hands out (PKCS #8). */
export function pemOf({ privateKey }: JwksSigningKey): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function isPem(value: string): boolean {
  return value.startsWith('-----BEGIN');
}

/** Of a key already one line of the middle tells too much. */
function linesOf(value: string): string[] {
  return isPem(value) ? value.split('\n').slice(10, 11) : [];
}
