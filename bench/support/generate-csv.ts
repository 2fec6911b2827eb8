const BLOCK_BYTES = 1024 * 1024;

/** Number of different blocks. Later blocks repeat them. */
const DISTINCT_BLOCKS = 16;

const HEADER = 'id,name,email,city,amount,ratio,active,born,updated_at,note\n';
const CITIES = ['Bergen', 'Graz', 'Lyon', 'Porto', 'Turku', 'Zug'];
const NOTES = ['', 'paid', '"late, twice"', 'said ""no""', 'to be called'].map((note) =>
  note.includes('""') ? `"${note}"` : note,
);

const blocks: Buffer[] = [];

/** Generates a CSV table of at most `size` bytes, in chunks of about 1 MiB. Each chunk ends with a whole record. */
export function* generateCsv(size: number): Generator<Buffer, void, undefined> {
  yield Buffer.from(HEADER);
  for (let written = HEADER.length, index = 0; written < size; index++) {
    const block = (blocks[index % DISTINCT_BLOCKS] ??= blockOfRows(index));
    const piece = written + block.length <= size ? block : block.subarray(0, endOfRecord(block, size - written));
    if (piece.length === 0) return;
    yield piece;
    written += piece.length;
  }
}

function endOfRecord(block: Buffer, within: number): number {
  return block.lastIndexOf('\n', within - 1) + 1;
}

function blockOfRows(index: number): Buffer {
  const rows: string[] = [];
  let length = 0;
  for (let row = index * 100_000; length < BLOCK_BYTES; row++) {
    const text = rowOf(row);
    rows.push(text);
    length += text.length;
  }
  return Buffer.from(rows.join(''));
}

/** ASCII only, so the number of characters is the number of bytes. */
function rowOf(row: number): string {
  const day = new Date(Date.UTC(2024, 0, 1) + row * 61_000).toISOString();
  const born = new Date(Date.UTC(1950, 0, 1) + (row % 18_000) * 86_400_000).toISOString().slice(0, 10);
  const cells = [
    1_000_000 + row,
    `Person ${row % 5_003}`,
    `person${row % 7_919}@example.com`,
    CITIES[row % CITIES.length],
    ((row * 37) % 1_000_003) / 100,
    ((row * 13) % 9_973) / 10_000,
    row % 3 === 0,
    born,
    day,
    NOTES[row % NOTES.length],
  ];
  return `${cells.join(',')}\n`;
}
