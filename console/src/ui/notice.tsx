import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import { TONE_CLASSES, type Tone } from './tone.js';

interface NoticeProps {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Screen readers read problems immediately. */
export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-start justify-between gap-3 rounded-lg px-4 py-3 text-sm',
        TONE_CLASSES[tone],
      )}
    >
      <div className="min-w-0 break-words">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {actions}
    </div>
  );
}
