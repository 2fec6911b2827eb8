import { type ConnectedWorkspace, connect } from '../sources/connected-workspace.js';
import { type FakeCredential, withWrongSecretValues } from './fake-credential.js';
import type { VendorCredentials } from './vendor-credentials.js';
import { replyExpired } from './vendor-responses.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export interface AuthMethodFixture {
  readonly key: string;
  /** Account that the vendor returns for the credential. */
  readonly identity: string;
  /** Kind of credential. The remediation depends on the kind. */
  readonly kind: 'key' | 'password' | 'client' | 'sign_in';
  /** Tokens of the method. Undefined for methods without tokens. */
  readonly session?: {
    count(): number;
    end(): void;
    /** Sets the lifetime of future tokens, in seconds. */
    setSeconds?(seconds: number): void;
  };
  /** Connects with a valid or a wrong credential. Signs in if the method requires it. */
  connect(credential?: FakeCredential): Promise<Data>;
  withdraw(): void;
  /** Outcome of a credential test after the revocation. */
  readonly withdrawn: 'expired' | 'invalid';
  /** Enters a valid credential, or signs in again. */
  renew(instance: Data): Promise<Data>;
}

export interface AuthMethodOverrides extends Partial<AuthMethodFixture> {
  readonly strategyKey?: keyof VendorCredentials;
  readonly credential?: () => FakeCredential;
  /** Path of the endpoint that issues the tokens. */
  readonly tokenPath?: string;
}

/** Supports methods whose credentials the fake vendor itself issues. */
export function authMethodFixture(
  { service, vendor }: ConnectedWorkspace,
  key: keyof VendorCredentials,
  own: AuthMethodOverrides,
) {
  const { strategyKey = key, tokenPath, credential = () => vendor.credentials[strategyKey], ...special } = own;
  const editor = service.as('editor');
  const { tokens } = vendor;
  const method: AuthMethodFixture = {
    ...{ key, identity: 'ada@vendor.test', kind: 'key', withdrawn: tokenPath ? 'invalid' : 'expired' },
    ...(tokenPath && {
      session: {
        count: () => vendor.callsTo(tokenPath).length,
        end: () => tokens.expireAll(),
        setSeconds: (seconds: number) => {
          tokens.seconds = seconds;
        },
      },
    }),
    connect: async (given = credential()) => (await connect(editor, key, given, { strategyKey })).body.data,
    withdraw: () => {
      Object.assign(vendor.credentials, { [strategyKey]: withWrongSecretValues(vendor.credentials[strategyKey]) });
      tokens.revokeAll();
      if (!tokenPath) vendor.behave('*', replyExpired());
    },
    renew: async ({ id: instanceId }) => {
      vendor.recover();
      const { authenticationConfig } = credential();
      return (await editor.post('/api/connectors/configure', { instanceId, authenticationConfig })).body.data;
    },
    ...special,
  };
  return method;
}
