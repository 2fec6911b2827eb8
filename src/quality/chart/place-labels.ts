/** `x` and `y` are the coordinates of the point. */
export interface PointLabel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface LabelFrame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LABEL_HEIGHT = 13;
const LABEL_ROW_HEIGHT = LABEL_HEIGHT + 1;
const LABEL_DISTANCE = 10;

/** Offsets of the baseline of a label from its point, in order of preference. */
const LABEL_OFFSETS = [0, 1, 2, 3].flatMap((row) => [
  -LABEL_DISTANCE - row * LABEL_HEIGHT,
  LABEL_DISTANCE + (row + 1) * LABEL_HEIGHT - 4,
]);

/** `x` and `y` are the middle of the label's baseline. */
export interface PlacedLabel<Label> {
  readonly label: Label;
  readonly x: number;
  readonly y: number;
}

/**
 * Earlier labels have priority. Omits a label if every place near its point is outside the frame or overlaps an earlier
 * label.
 */
export function placeLabels<Label extends PointLabel>(
  labels: readonly Label[],
  frame: LabelFrame,
): PlacedLabel<Label>[] {
  const placed: PlacedLabel<Label>[] = [];
  for (const label of labels) {
    const half = label.width / 2;
    const x = Math.min(Math.max(label.x, frame.left + half), frame.right - half);
    const y = LABEL_OFFSETS.map((offset) => label.y + offset).find(
      (baseline) =>
        baseline - LABEL_HEIGHT >= frame.top &&
        baseline <= frame.bottom &&
        placed.every(
          (other) =>
            Math.abs(other.y - baseline) >= LABEL_HEIGHT || Math.abs(other.x - x) >= half + other.label.width / 2,
        ),
    );
    if (y !== undefined) placed.push({ label, x, y });
  }
  return placed;
}

/**
 * Spreads vertical positions, sorted from top to bottom, so that lines of text do not overlap. Does not move the middle
 * position if the frame has space.
 */
export function spreadHeights(
  heights: readonly number[],
  { top, bottom }: Pick<LabelFrame, 'top' | 'bottom'>,
): number[] {
  const middle = Math.floor(heights.length / 2);
  const upper = pushApart(heights.slice(0, middle + 1).toReversed(), -LABEL_ROW_HEIGHT).toReversed();
  const spread = [...upper, ...pushApart(heights.slice(middle), LABEL_ROW_HEIGHT).slice(1)];
  const down = pushApart(
    spread.map((height) => Math.max(height, top)),
    LABEL_ROW_HEIGHT,
  );
  return pushApart(down.map((height) => Math.min(height, bottom)).toReversed(), -LABEL_ROW_HEIGHT).toReversed();
}

/** Moves each position at least `row` away from the previous position: downwards, or upwards if `row` is negative. */
function pushApart(heights: readonly number[], row: number): number[] {
  const farther = row > 0 ? Math.max : Math.min;
  const apart: number[] = [];
  for (const height of heights) {
    const before = apart.at(-1);
    apart.push(before === undefined ? height : farther(height, before + row));
  }
  return apart;
}
