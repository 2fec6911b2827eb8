import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import { TONE_CLASSES, TONE_DOTS, type Tone } from './tone.js';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-0.5 text-xs font-medium',
        TONE_CLASSES[tone],
      )}
    >
      <span aria-hidden className={classNames('size-1.5 rounded-full', TONE_DOTS[tone])} />
      {children}
    </span>
  );
}
