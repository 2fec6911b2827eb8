import { aSigningKey, type JwksSigningKey } from '../identity/jwks-server.js';
import { canaryValue } from '../secrets/canary-values.js';

type Fields = Readonly<Record<string, string>>;

export interface FakeCredential {
  readonly authenticationConfig: Fields;
  readonly ingestionConfig?: Fields;
  /** Strings that responses and logs must not contain: the values of the secret fields, and parts that reveal them. */
  readonly secrets: readonly string[];
}

/** `secret` contains the fields that the definition marks as secret. */
export function aFakeCredential(open: Fields, secret: Fields, ingestionConfig?: Fields): FakeCredential {
  const secrets = Object.values(secret).flatMap((value) => [value, ...linesOf(value)]);
  return { authenticationConfig: { ...open, ...secret }, ...(ingestionConfig && { ingestionConfig }), secrets };
}

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

/** PKCS #8, the usual format of vendors' key files. */
export function pemOf({ privateKey }: JwksSigningKey): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function isPem(value: string): boolean {
  return value.startsWith('-----BEGIN');
}

/**
 * Returns one line of a PEM key. Tests search responses and logs for this line, which must not occur there. Returns
 * nothing for other values.
 */
function linesOf(value: string): string[] {
  return isPem(value) ? value.split('\n').slice(10, 11) : [];
}
