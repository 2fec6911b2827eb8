/** The meaning of a color. A text next to the color has the same meaning. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

export interface StatusView {
  readonly label: string;
  readonly tone: Tone;
}

export const TONE_CLASSES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-muted',
};

export const TONE_DOTS: Readonly<Record<Tone, string>> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  neutral: 'bg-muted',
};
