/** `baseline` describes the figure with which the benchmark compares `figure`. */
interface Figure {
  readonly name: string;
  readonly figure: string;
  readonly baseline: string;
  /** Undefined for a figure without a target. */
  readonly isMet?: boolean;
}

export function printFigure({ name, figure, baseline, isMet }: Figure): void {
  const result = isMet === undefined ? '' : isMet ? 'met' : 'NOT MET';
  console.log(`${result.padEnd(9)}${name.padEnd(46)}${figure.padStart(16)}   ${baseline}`);
}

export function printTitle(title: string): void {
  console.log(`\n${title}`);
}

export function inThousands(rate: number): string {
  return Math.round(rate).toLocaleString('en');
}

/** Prints to standard error, so that standard output contains only figures. */
export function printProgress(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
