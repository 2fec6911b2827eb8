import { escapeMarkup } from '../../src/kernel/formats/escape-markup.js';

/** Returns an SVG logo with the first letter of the name, for vendors without a logo under a free license. */
export function letterLogo(name: string): string {
  const [letter = '?'] = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  return (
    `<svg viewBox="0 0 24 24" xmlns="http://www.w3.org/2000/svg"><title>${escapeMarkup(name)}</title>` +
    '<rect width="24" height="24" rx="5" fill="#475569"/><text x="12" y="17" text-anchor="middle" ' +
    `font-family="sans-serif" font-size="14" font-weight="600" fill="#fff">${escapeMarkup(letter)}</text></svg>\n`
  );
}
