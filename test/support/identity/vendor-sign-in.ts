import type { Client } from '../service/service.js';
import type { OAuthProvider } from './oauth-provider.js';
import { approveSignIn, beginSignIn } from './oauth-sign-in.js';

export interface SignInResult {
  readonly state: string;
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
}

export async function signInWithVendor(client: Client, provider: OAuthProvider, id: string): Promise<SignInResult> {
  const { searchParams } = await approveSignIn(provider, await beginSignIn(client, { id }));
  const { state = '', code = '', ...params } = Object.fromEntries(searchParams);
  return { state, code, params };
}
