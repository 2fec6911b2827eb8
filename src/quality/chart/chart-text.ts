import { escapeMarkup } from '../../kernel/formats/escape-markup.js';

/** Control characters, halves of characters, those that turn the direction of the text around them, and what no XML may hold. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** Text by others as it stands in a chart, of so many characters at the most. */
export function formatChartText(text: string, most: number): string {
  const clean = [
    ...text
      .slice(0, 4 * most)
      .replace(/[\t\r\n]+/g, ' ')
      .replace(UNPRINTABLE, '')
      .trim(),
  ];
  return escapeMarkup(clean.length > most ? `${clean.slice(0, most - 1).join('')}…` : clean.join(''));
}

/** About how wide a text of 12 pixels is. */
export function estimateTextWidth(text: string): number {
  return [...text].length * 7.2;
}

/** `2026-11-22 04:10 UTC`. */
export function formatChartTime(capturedAt: string): string {
  return `${new Date(capturedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
