import { crc32, deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isStored?: boolean;
  readonly flags?: number;
  readonly size?: number;
}

/** Returns a zip archive in the format of APPNOTE.TXT. */
export function zip(...files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, flags = 0, size = content.length } of files) {
    const packed = isStored ? content : deflateRawSync(content);
    const [head, entry] = [Buffer.alloc(30), Buffer.alloc(46)];
    for (const [record, at] of [
      [head, 0],
      [entry, 2],
    ] as const) {
      record.writeUInt16LE(flags, at + 6);
      record.writeUInt16LE(isStored ? 0 : 8, at + 8);
      record.writeUInt32LE(crc32(content), at + 14);
      record.writeUInt32LE(packed.length, at + 18);
      record.writeUInt32LE(size, at + 22);
      record.writeUInt16LE(name.length, at + 26);
    }
    head.write('PK\u0003\u0004', 'latin1');
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(head, Buffer.from(name), packed);
    offset += head.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
