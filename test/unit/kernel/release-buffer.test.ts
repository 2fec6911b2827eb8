import { expect, it } from 'vitest';
import { releaseBuffer } from '../../../src/kernel/files/release-buffer.js';
import { spooledInMemory } from '../../../src/kernel/files/spooled-bytes.js';

const MIB = 2 ** 20;

it('frees the memory of a buffer without a collection', () => {
  const buffer = Buffer.alloc(64 * MIB);
  const before = process.memoryUsage().arrayBuffers;
  releaseBuffer(buffer);
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(60 * MIB);
  releaseBuffer(buffer);
  expect(buffer).toHaveLength(0);
});

it('ignores a buffer that shares its memory with other buffers', () => {
  const whole = Buffer.from('abcdef');
  const large = Buffer.alloc(MIB, 'x');
  for (const part of [whole, large.subarray(0, 10)]) releaseBuffer(part);
  expect([`${whole}`, large.length]).toEqual(['abcdef', MIB]);
});

it('a body in memory is freed when it is discarded, and can be discarded again', async () => {
  const bytes = Buffer.alloc(MIB, 'x');
  const body = spooledInMemory(bytes);
  expect(`${await body.read(0, 2)}`).toBe('xx');
  await body.discard();
  await body.discard();
  expect([bytes.length, body.size]).toEqual([0, MIB]);
});
