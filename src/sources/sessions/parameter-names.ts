import type { OAuth2Config } from '../../catalog/model/auth-method-configs.js';

type Names = Pick<OAuth2Config, 'clientIdParam' | 'clientSecretParam' | 'codeParam'>;

/** Renames the parameters of RFC 6749 to the names of the vendor. */
export function renameParameters(
  parameters: Readonly<Record<string, string>>,
  { clientIdParam, clientSecretParam, codeParam }: Names = {},
): Record<string, string> {
  const names = new Map(
    Object.entries({ client_id: clientIdParam, client_secret: clientSecretParam, code: codeParam }),
  );
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [names.get(name) ?? name, value]));
}
