import { useNavigate, useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { buttonClasses } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import type { ConsoleContext } from './console-context.js';
import { completeProviderSignIn } from './provider-session.js';

/** The OpenID provider redirects the browser to this page. */
export function CallbackPage() {
  const context = useRouteContext({ from: '__root__' }) as ConsoleContext;
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const hasStarted = useRef(false); // An authorization code is valid once, and React runs effects twice in development.
  useEffect(() => {
    const { signIn } = context.settings;
    if (hasStarted.current || signIn.kind !== 'provider') return;
    hasStarted.current = true;
    completeProviderSignIn(signIn).then(
      ({ session, next }) => {
        context.sessions.current = session;
        navigate({ href: next, replace: true });
      },
      (error: Error) => setProblem(error.message),
    );
  }, [context, navigate]);
  if (!problem) return <Loading />;
  return (
    <EmptyState
      title="The sign-in failed"
      action={
        <a href="/sign-in" className={buttonClasses('primary')}>
          Sign in again
        </a>
      }
    >
      {problem}
    </EmptyState>
  );
}
