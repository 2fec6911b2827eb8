import { getRouteApi, useNavigate, useRouteContext } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import icon from '../assets/icon.svg';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import type { ConsoleContext } from './console-context.js';
import { startDemoSession } from './demo-session.js';
import { startProviderSignIn } from './provider-session.js';
import type { SignIn } from './settings.js';

const signInRoute = getRouteApi('/sign-in');

const WORKSPACE_KEY = 'taproot.workspace';

export function SignInPage() {
  const { settings } = signInRoute.useRouteContext();
  const { signIn } = settings;
  return (
    <main className="flex min-h-screen items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-surface p-8">
        <img src={icon} alt="" className="size-10" />
        <h1 className="mt-4 text-xl font-semibold">Sign in to Taproot</h1>
        {signIn.kind === 'demo' && <DemoUsers signIn={signIn} />}
        {signIn.kind === 'provider' && <ProviderSignIn provider={signIn} />}
        {signIn.kind === 'unconfigured' && (
          <div className="mt-4">
            <Notice tone="warn" title="Sign-in is not configured">
              The operator must set CONSOLE_CLIENT_ID to the client id of the console at the OpenID provider.
            </Notice>
          </div>
        )}
        <p className="mt-6 text-xs text-muted">Version {settings.version}</p>
      </div>
    </main>
  );
}

function DemoUsers({ signIn }: { signIn: Extract<SignIn, { kind: 'demo' }> }) {
  const { next } = signInRoute.useSearch();
  const context = useRouteContext({ from: '__root__' }) as ConsoleContext;
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const start = async (role: string): Promise<void> => {
    try {
      context.sessions.current = await startDemoSession(signIn.workspace, role);
      await navigate({ href: next ?? `/w/${signIn.workspace}` });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <p className="mt-1 text-sm text-muted">Choose a user of the demo workspace. Each role sees different actions.</p>
      {problem && <Problem>{problem}</Problem>}
      <ul className="mt-5 space-y-2">
        {signIn.users.map(({ role, email }) => (
          <li key={role}>
            <Button className="w-full justify-between!" onClick={() => start(role)}>
              <span className="capitalize">{role}</span>
              <span className="font-normal text-muted">{email}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function ProviderSignIn({ provider }: { provider: Extract<SignIn, { kind: 'provider' }> }) {
  const { next } = signInRoute.useSearch();
  const [workspace, setWorkspace] = useState(next?.split('/')[2] ?? localStorage.getItem(WORKSPACE_KEY) ?? '');
  const [problem, setProblem] = useState<string>();
  const start = async (): Promise<void> => {
    localStorage.setItem(WORKSPACE_KEY, workspace);
    const target = next?.split('/')[2] === workspace ? next : `/w/${workspace}`;
    await startProviderSignIn(provider, { workspace, next: target }).catch((error: Error) => setProblem(error.message));
  };
  return (
    <form action={start} className="mt-5 space-y-4">
      <label className="block text-sm font-medium">
        Workspace
        <input
          required
          value={workspace}
          onChange={({ target }) => setWorkspace(target.value)}
          pattern="[a-z0-9\-]+"
          title="Lower-case letters, digits and hyphens"
          className="mt-1 w-full rounded-lg border border-line bg-surface px-3 py-2 font-normal"
        />
      </label>
      {problem && <Problem>{problem}</Problem>}
      <Button kind="primary" type="submit" className="w-full">
        Continue to {new URL(provider.issuer).host}
      </Button>
    </form>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <div className="mt-4">
      <Notice tone="bad">{children}</Notice>
    </div>
  );
}
