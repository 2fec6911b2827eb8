import type { Session } from './session.js';

/** The tab stores the role under this key, so that a reload does not end the session. The role is not a secret. */
const ROLE_KEY = 'taproot.demo-role';

export async function startDemoSession(workspace: string, role: string): Promise<Session> {
  let token = await requestToken(role);
  sessionStorage.setItem(ROLE_KEY, role);
  return {
    workspace,
    token: async (rejected) => {
      if (token === rejected) token = await requestToken(role);
      return token;
    },
    signInAgain: async (next) => location.assign(`/sign-in?next=${encodeURIComponent(next)}`),
    signOut: async () => {
      sessionStorage.removeItem(ROLE_KEY);
      location.assign('/sign-in');
    },
  };
}

async function requestToken(role: string): Promise<string> {
  const response = await fetch(`/console/demo-tokens/${role}`, { method: 'POST' });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body.token;
}

/** Returns undefined if this tab has no demo session or the service issues no token. */
export async function resumeDemoSession(workspace: string): Promise<Session | undefined> {
  const role = sessionStorage.getItem(ROLE_KEY);
  return role ? startDemoSession(workspace, role).catch(() => undefined) : undefined;
}
