export type SignIn =
  | { kind: 'provider'; issuer: string; clientId: string; scope: string; audience: string }
  | { kind: 'demo'; workspace: string; users: { role: string; email: string }[] }
  | { kind: 'unconfigured' };

export interface Settings {
  version: string;
  signIn: SignIn;
}

export async function loadSettings(): Promise<Settings> {
  const response = await fetch('/console/settings');
  if (!response.ok) throw new Error(`The service returned the status ${response.status}.`);
  return response.json();
}
