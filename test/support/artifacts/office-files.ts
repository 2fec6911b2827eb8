/** The archive lacks the central directory at its end, because the service reads only the start of a file. */
export function anArchive(entries: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(entries).map(([name, content]) => anEntry(Buffer.from(name), Buffer.from(content))),
  );
}

function anEntry(name: Buffer, content: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name, content]);
}

/** Returns a compound file (the format of `.xls`) whose directory lists these streams. */
export function aCompoundFile(...streams: string[]): Buffer {
  const header = Buffer.alloc(512);
  header.write('d0cf11e0a1b11ae1', 'hex');
  const entries = streams.map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    return entry;
  });
  return Buffer.concat([header, ...entries]);
}
