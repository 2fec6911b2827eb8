/** One figure with its yardstick. */
interface Figure {
  readonly name: string;
  readonly figure: string;
  readonly yardstick: string;
  /** Undefined for a figure without a target. */
  readonly isMet?: boolean;
}

export function printFigure({ name, figure, yardstick, isMet }: Figure): void {
  const result = isMet === undefined ? '' : isMet ? 'met' : 'NOT MET';
  console.log(`${result.padEnd(9)}${name.padEnd(46)}${figure.padStart(16)}   ${yardstick}`);
}

export function printTitle(title: string): void {
  console.log(`\n${title}`);
}

export function inThousands(rate: number): string {
  return Math.round(rate).toLocaleString('en');
}

/** To the error output, so that the figures can be saved without it. */
export function printProgress(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
