import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeLabels, spreadHeights } from '../../../src/quality/chart/place-labels.js';

describe('labels', () => {
  const frame = { left: 0, right: 300, top: 0, bottom: 200 };

  it('do not overlap and stay within the frame; earlier labels have priority', () => {
    const label = fc.record({
      x: fc.integer({ min: 0, max: 300 }),
      y: fc.integer({ min: 0, max: 200 }),
      width: fc.constant(30),
    });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 40 }), (labels) => {
        const placed = placeLabels(labels, frame);
        expect(placed[0]?.label).toBe(labels[0]);
        for (const [index, one] of placed.entries()) {
          expect(one.x >= 15 && one.x <= 285 && one.y >= 13 && one.y <= 200).toBe(true);
          for (const other of placed.slice(index + 1))
            expect(Math.abs(one.x - other.x) >= 30 || Math.abs(one.y - other.y) >= 13).toBe(true);
        }
      }),
    );
  });

  it('of the lines do not overlap, keep their order and stay within the frame', () => {
    const heights = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(heights, (heights) => {
        const spread = spreadHeights(
          heights.toSorted((one, other) => one - other),
          frame,
        );
        for (const [index, height] of spread.entries()) {
          expect(height >= 0 && height <= 200).toBe(true);
          if (index > 0) expect(height - (spread[index - 1] ?? height)).toBeGreaterThanOrEqual(13);
        }
      }),
    );
  });
});
