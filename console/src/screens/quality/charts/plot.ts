export const HEIGHT = 210;
export const MARGIN = { top: 14, right: 46, bottom: 24, left: 62 } as const;

/** In pixels. */
export interface Plot {
  readonly width: number;
  readonly ticks: readonly number[];
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}
