import type { ButtonHTMLAttributes } from 'react';
import { classNames } from './class-names.js';

type Kind = 'primary' | 'secondary' | 'quiet' | 'danger';

const KIND_CLASSES: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  secondary: 'border border-line bg-surface hover:bg-sunken',
  quiet: 'text-muted hover:bg-sunken hover:text-ink',
  danger: 'bg-bad text-surface hover:opacity-90',
};

/** Links with these classes look like a button. */
export function buttonClasses(kind: Kind = 'secondary'): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-lg px-3.5 py-2 text-sm font-medium transition',
    'disabled:cursor-not-allowed disabled:opacity-50',
    KIND_CLASSES[kind],
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  /** Whether the action is running. The button is then disabled, and screen readers announce that it is busy. */
  isBusy?: boolean;
}

export function Button({ kind, isBusy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy}
      disabled={disabled || isBusy}
      className={classNames(buttonClasses(kind), className)}
      {...rest}
    />
  );
}
