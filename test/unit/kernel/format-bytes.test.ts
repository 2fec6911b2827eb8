import { expect, it } from 'vitest';
import { formatBytes } from '../../../src/kernel/formats/format-bytes.js';

it.each([
  [0, '0 bytes'],
  [1_000, '1,000 bytes'],
  [1_025, '1,025 bytes'],
  [16_384, '16 KiB'],
  [1_048_576, '1 MiB'],
  [104_857_600, '100 MiB'],
  [104_857_601, '104,857,601 bytes'],
  [2 ** 40, '1 TiB'],
  [2 ** 50, '1,024 TiB'],
])('formats %i as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
