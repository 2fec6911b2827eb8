import type { ByteLimit } from '../../rest-facade/byte-limit.js';
import { formatBytes } from '../kernel/formats/format-bytes.js';

export function byteLimit(bytes: number): ByteLimit {
  return { bytes, text: formatBytes(bytes) };
}
