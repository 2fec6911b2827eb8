import iconv from 'iconv-lite';
import { chardet } from 'jschardet';
import { decodeText } from '../src/csv/encoding/decode-text.js';
import { detectEncoding } from '../src/csv/encoding/detect-encoding.js';
import { type EncodedText, encodedTexts, ROW_COUNTS } from './csv/encoded-texts.js';

const LABEL_WIDTH = 16;
const CELL_WIDTH = 14;
const WHOLE = { isWhole: true } as const;
const CONFIDENCES = [0.6, 0.7, 0.8, 0.9, 0.95];

const texts = encodedTexts().filter(({ text }) => /[^\0-\x7f]/.test(text));
const results = texts.map((one) => ({ ...one, ...readAs(one) }));
console.log(
  ['encoding'.padEnd(LABEL_WIDTH), ...ROW_COUNTS.map((rows) => `${rows} rows`.padStart(CELL_WIDTH))].join(''),
);
for (const encoding of [...new Set(texts.map((one) => one.encoding)), undefined]) {
  const cells = ROW_COUNTS.map((rows) => {
    const all = results.filter((one) => one.rows === rows && (encoding === undefined || one.encoding === encoding));
    return `${all.filter(({ found }) => found === 'right').length} of ${all.length}`.padStart(CELL_WIDTH);
  });
  console.log((encoding ?? 'all').padEnd(LABEL_WIDTH) + cells.join(''));
}
const legacy = results.filter(({ encoding }) => !encoding.startsWith('utf'));
const own = legacy.filter(({ found }) => found === 'right').length;
const baseline = legacy.filter(isReadByDetector).length;
console.log(
  `${legacy.length} files that are not in Unicode: ${own} right; by jschardet alone: ${baseline}; ratio ${(own / baseline).toFixed(2)}`,
);
for (const limit of CONFIDENCES) {
  const [below, above] = [true, false].map((isBelow) => results.filter((one) => one.confidence < limit === isBelow));
  const shares = [below, above].map(
    (all = []) => `${all.filter(({ found }) => found !== 'right').length} of ${all.length}`,
  );
  console.log(`wrong below a confidence of ${limit}: ${shares[0]}, otherwise: ${shares[1]}`);
}
const wrong = new Map<string, number>();
for (const { language, encoding, rows, found } of results) {
  if (found === 'right') continue;
  const key = `  ${language}, ${encoding}, ${rows} rows: read as ${found}`;
  wrong.set(key, (wrong.get(key) ?? 0) + 1);
}
for (const [key, count] of wrong) console.log(`${key} (${count})`);

function encode({ text, encoding }: EncodedText): Buffer {
  return iconv.encode(text, encoding, { addBOM: false });
}

function readAs(one: EncodedText): { found: string; confidence: number } {
  const bytes = encode(one);
  try {
    const detected = detectEncoding(bytes, WHOLE);
    const isRight = decodeText(bytes, detected, WHOLE) === one.text;
    return { found: isRight ? 'right' : detected.encoding, confidence: detected.confidence };
  } catch (error) {
    return { found: (error as Error).message, confidence: 1 };
  }
}

function isReadByDetector(one: EncodedText): boolean {
  const bytes = encode(one);
  const { encoding } = chardet.detect(bytes);
  return encoding !== null && iconv.encodingExists(encoding) && iconv.decode(bytes, encoding) === one.text;
}
