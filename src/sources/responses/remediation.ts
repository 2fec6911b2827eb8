import type { AuthMethodType } from '../../catalog/model/auth-method-configs.js';
import type { TestOutcome } from './test-outcome.js';

type Kind = 'key' | 'password' | 'client' | 'sign_in';

const CREDENTIAL_KINDS: Record<AuthMethodType, Kind> = {
  api_key_header: 'key',
  api_key_query: 'key',
  bearer: 'key',
  custom: 'key',
  session_exchange: 'key',
  basic: 'password',
  session_exchange_password: 'password',
  oauth2_client_credentials: 'client',
  oauth2_jwt_bearer: 'client',
  google_domain_wide_delegation: 'client',
  session_exchange_jwt: 'client',
  oauth2_refresh: 'sign_in',
  oauth2_auth_code_pkce: 'sign_in',
};

const SIGN_IN_AGAIN = 'Sign in with the vendor again from the page of this connection.';
const ENTER_AGAIN = 'Enter the credentials again.';
const WAIT_FOR_RETEST =
  'The service repeats the test automatically. If the result stays the same, check the status page of the vendor.';
const ASK_SUPPORT =
  'The service repeats the test automatically. If the test fails again, contact the service operator with the time of the test.';

const REMEDIATIONS: Record<NonNullable<TestOutcome['errorCode']>, Record<Kind, string>> = {
  auth_failed: {
    key: 'Compare the entered key with the key at the vendor, and remove spaces around the entered key. If the key was revoked, create and enter a new key.',
    password:
      "Enter the user name and password again. If the vendor's website accepts them, check whether the API of the vendor requires a token instead.",
    client:
      'Compare the entered id with the id at the vendor, and check that the secret or key is still valid. If in doubt, create and enter a new secret or key.',
    sign_in: `Compare the entered client id and secret with the client id and secret at the vendor. Then sign in with the vendor again.`,
  },
  expired: {
    key: 'Create a new key at the vendor and enter it.',
    password: 'Set a new password or token at the vendor and enter it.',
    client: 'Create a new secret or key at the vendor and enter it.',
    sign_in: SIGN_IN_AGAIN,
  },
  insufficient_permissions: {
    key: 'Grant the key the permissions that the setup guide lists, or create a key that has them.',
    password: 'Grant the user the permissions that the setup guide lists, or enter the credentials of another user.',
    client:
      'Ask the administrator of your account at the vendor to grant the application the permissions that the setup guide lists.',
    sign_in:
      'Sign in with the vendor again as a user with the permissions that the setup guide lists, and grant all requested permissions.',
  },
  config_invalid: same('Compare the address, account and ids in the configuration with the setup guide.'),
  internal_error: same(ASK_SUPPORT),
};

/** Returns undefined for a valid credential. */
export function remediationOf(
  { status, errorCode }: Pick<TestOutcome, 'status' | 'errorCode'>,
  method: AuthMethodType,
): string | undefined {
  if (errorCode) return REMEDIATIONS[errorCode][CREDENTIAL_KINDS[method]];
  if (status === 'manual_validation_required')
    return method === 'oauth2_auth_code_pkce' ? SIGN_IN_AGAIN.replace(' again', '') : ENTER_AGAIN;
  return status === 'inconclusive' ? WAIT_FOR_RETEST : undefined;
}

function same(remedy: string): Record<Kind, string> {
  return { key: remedy, password: remedy, client: remedy, sign_in: remedy };
}
