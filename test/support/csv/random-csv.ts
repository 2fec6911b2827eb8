export interface RandomCsv {
  readonly label: string;
  readonly text: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly header: boolean;
  readonly rows: readonly (readonly string[])[];
}

export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'Grüße', 'harbour', 'île', 'jasper'];
const TITLES = ['id', 'amount', 'day', 'place', 'remark', 'at', 'share', 'owner', 'state', 'code', 'flag', 'unit'];

type Random = () => number;
type Cell = (random: Random) => string;

const whole = (random: Random, below: number) => Math.floor(random() * below);
const word: Cell = (random) => WORDS[whole(random, WORDS.length)] ?? '';
const twoDigits = (value: number) => String(value + 1).padStart(2, '0');
const day: Cell = (random) =>
  `20${twoDigits(whole(random, 30))}-${twoDigits(whole(random, 12))}-${twoDigits(whole(random, 28))}`;

/** The first column contains numbers, so that schema inference recognizes the header. */
const CELLS: readonly Cell[] = [
  (random) => String(whole(random, 100_000)),
  word,
  (random) => (random() * 1_000).toFixed(2),
  day,
  (random) => `${word(random)} ${word(random)}`,
  (random) => (random() < 0.5 ? 'true' : 'false'),
  (random) => `${day(random)} ${twoDigits(whole(random, 20))}:30:00`,
];

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTES = ['"', "'"];
const LINE_ENDS = ['\n', '\r\n', '\r'];
const WIDTHS = [2, 3, 7, 12];

export function randomCsvs(seed: number): RandomCsv[] {
  const random = seededRandom(seed);
  const files: RandomCsv[] = [];
  for (const delimiter of DELIMITERS)
    for (const quote of QUOTES)
      for (const escaping of [quote, '\\'])
        for (const lineEnd of LINE_ENDS)
          for (const width of WIDTHS)
            for (const header of [true, false])
              files.push(generateCsv(random, { delimiter, quote, escape: escaping, lineEnd, width, header }));
  return files;
}

interface Shape {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly lineEnd: string;
  readonly width: number;
  readonly header: boolean;
}

function generateCsv(random: Random, shape: Shape): RandomCsv {
  const { delimiter, quote, width, header, lineEnd } = shape;
  const rows = Array.from({ length: 12 }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const value = CELLS[column % CELLS.length]?.(random) ?? '';
      if (column % CELLS.length !== 1) return value;
      return [value, `${value}${delimiter} ${value}`, `${value} ${quote}${value}${quote} ${value}`][row % 3] ?? value;
    }),
  );
  const titles = TITLES.slice(0, width);
  const lines = [...(header ? [titles] : []), ...rows].map((row) =>
    row.map((value) => write(value, shape)).join(delimiter),
  );
  const label = JSON.stringify([delimiter, quote, shape.escape, lineEnd, width, header]);
  return { ...shape, label, text: lines.join(lineEnd) + lineEnd, rows };
}

function write(value: string, { delimiter, quote, escape: escaping }: Shape): string {
  if (!value.includes(delimiter) && !value.includes(quote)) return value;
  return quote + value.replaceAll(quote, escaping + quote) + quote;
}
