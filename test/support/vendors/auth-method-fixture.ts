import { type ConnectedWorkspace, connect } from '../sources/connected-workspace.js';
import { type FakeCredential, withWrongSecretValues } from './fake-credential.js';
import type { VendorCredentials } from './vendor-credentials.js';
import { replyExpired } from './vendor-responses.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

/** What differs between methods of authentication while a connection lives. */
export interface AuthMethodFixture {
  /** Of the connector. */
  readonly key: string;
  /** Whom the vendor takes the caller for. */
  readonly identity: string;
  /** What the customer holds in hand, which says where it is renewed. */
  readonly kind: 'key' | 'password' | 'client' | 'sign_in';
  /** Missing where the credential itself is sent. */
  readonly session?: {
    /** How often the vendor was asked for a token so far. */
    count(): number;
    /** Has all tokens that were handed out be past their time. */
    end(): void;
    /** Seconds that tokens live from now on; missing where the vendor does not say how long they do. */
    setSeconds?(seconds: number): void;
  };
  /** Connects with what is good at the moment, or with a wrong one, and signs in where that is asked for. */
  connect(credential?: FakeCredential): Promise<Data>;
  /** The vendor takes the credential back. */
  withdraw(): void;
  /** What is found of it then. */
  readonly withdrawn: 'expired' | 'invalid';
  /** Enters the one that is good by now, or signs in again. */
  renew(instance: Data): Promise<Data>;
}

export interface AuthMethodOverrides extends Partial<AuthMethodFixture> {
  readonly strategyKey?: keyof VendorCredentials;
  /** One that is good at the moment. */
  readonly credential?: () => FakeCredential;
  /** Where tokens come from. */
  readonly tokenPath?: string;
}

/** One of those that the vendor server itself answers for. */
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
