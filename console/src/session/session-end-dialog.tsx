import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.js';
import type { Session } from './session.js';

export function SessionEndDialog({ session }: { session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const signIn = (): Promise<void> => session.signInAgain(location.pathname + location.search);
  return (
    <dialog
      ref={dialog}
      onCancel={(event) => event.preventDefault()}
      aria-labelledby="session-end-title"
      className="m-auto w-full max-w-md rounded-xl border border-line bg-surface p-6 text-ink shadow-xl"
    >
      <h2 id="session-end-title" className="text-lg font-semibold">
        Your session has ended
      </h2>
      <p className="mt-2 text-sm text-muted">Sign in again to continue on this page. Unsaved input is lost.</p>
      <div className="mt-6 flex justify-end">
        <Button kind="primary" onClick={signIn}>
          Sign in again
        </Button>
      </div>
    </dialog>
  );
}
