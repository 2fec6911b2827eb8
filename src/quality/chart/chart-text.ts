import { escapeMarkup } from '../../kernel/formats/escape-markup.js';

/**
 * Control characters, lone surrogates, characters that change the text direction, and noncharacters that XML forbids.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** The text is untrusted. */
export function formatChartText(text: string, maxCharacters: number): string {
  const clean = [
    ...text
      .slice(0, 4 * maxCharacters)
      .replace(/[\t\r\n]+/g, ' ')
      .replace(UNPRINTABLE, '')
      .trim(),
  ];
  const isTooLong = clean.length > maxCharacters;
  return escapeMarkup(isTooLong ? `${clean.slice(0, maxCharacters - 1).join('')}…` : clean.join(''));
}

/** Approximate width in pixels, at a font size of 12 pixels. */
export function estimateTextWidth(text: string): number {
  return [...text].length * 7.2;
}

export function formatChartTime(capturedAt: string): string {
  return `${new Date(capturedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
