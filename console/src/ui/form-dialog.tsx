import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.js';

interface FormDialogProps {
  title: string;
  submitLabel: string;
  isBusy: boolean;
  /** Whether the action has succeeded. If so, the dialog has only one button, which closes it. */
  isDone: boolean;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's dialog element keeps the focus inside. */
export function FormDialog({ title, submitLabel, isBusy, isDone, onSubmit, onClose, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      onClose={onClose}
      aria-labelledby={titleId}
      className="m-auto w-full max-w-lg rounded-xl border border-line bg-surface p-6 text-ink shadow-xl"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        <div className="mt-4 space-y-4">{children}</div>
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>{isDone ? 'Close' : 'Cancel'}</Button>
          {!isDone && (
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {submitLabel}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  );
}
