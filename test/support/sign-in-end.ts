import type { OAuthProvider } from './oauth-provider.js';
import type { Client } from './service.js';
import { agree, begin } from './sign-ins.js';

/** What came back with the browser of somebody who signed in with the vendor: all that completes it. */
export interface SignInEnd {
  readonly state: string;
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Starts a sign-in for the connection, and ends it at the vendor as somebody who agrees. */
export async function signInWithVendor(client: Client, provider: OAuthProvider, id: string): Promise<SignInEnd> {
  const { searchParams } = await agree(provider, await begin(client, { id }));
  const { state = '', code = '', ...params } = Object.fromEntries(searchParams);
  return { state, code, params };
}
