import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { checkHead } from '../../../src/csv/check-head.js';
import { readText } from '../../../src/csv/encoding/decode-text.js';
import { csvFaultOf, TRUNCATED_FILE, WHOLE_FILE } from '../../support/csv/csv-fault.js';

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const repeat = (line: (row: number) => string) => Array.from({ length: 30 }, (_, row) => `${line(row)}\n`).join('');
const GREETINGS = 'name;city\nJürgen;Köln\nZoë;Besançon\nBjörn;Malmö\nPeña;Logroño\n';

describe('the encoding of a text', () => {
  it.each([
    ['utf-8', Buffer.from('\ufeffa,ü\n')],
    ['utf-8', Buffer.from('a,ü\n')],
    ['utf-16le', Buffer.from('\ufeffa,ü\n', 'utf16le')],
    ['utf-16le', Buffer.from('a,ü\n', 'utf16le')],
    ['utf-16be', bigEndian('\ufeffa,ü\n')],
    ['utf-16be', bigEndian('a,ü\n')],
    ['utf-32le', Buffer.from('fffe0000610000002c000000fc0000000a000000', 'hex')],
  ])('is detected as %s, with or without a byte order mark, which is removed', (encoding, bytes) => {
    expect(readText(bytes, WHOLE_FILE)).toEqual({ encoding, text: 'a,ü\n' });
  });

  it('is detected from words, and 0x80 is the euro sign in windows-1252', () => {
    expect(readText(latin1(GREETINGS), WHOLE_FILE)).toMatchObject({ text: GREETINGS });
    const { encoding, text } = readText(latin1('name;price\nM\xfcller;5 \x80\nFran\xe7ois;7 \x80\n'), WHOLE_FILE);
    expect({ encoding, text }).toEqual({ encoding: 'windows-1252', text: 'name;price\nMüller;5 €\nFrançois;7 €\n' });
  });

  it.each([
    ['a euro sign', repeat((row) => `x${row};5 €`)],
    ['many euro signs', repeat((row) => `${row} €;${row} €`).repeat(60)],
    ['a euro sign and an umlaut', repeat((row) => `Müller ${row};5 €`)],
    ['a no-break space', repeat((row) => `x${row};5\u00a0kg`)],
    ['a paragraph sign', 'a;b\n§ 5;1\n'],
    ['a micro sign', 'a;b\n5 µg;1\n'],
    ['ü', 'a;b\nMüller;1\nab;2\n'],
    ['é', 'a;b\nCafé;1\nab;2\n'],
    ['ß', 'a;b\nStraße;1\nab;2\n'],
    ['ü as a word', 'a;b\nü;1\n'],
    ['ß as a word', 'a;b\nß;1\n'],
    ['å', 'a;b\nÅrhus;1\n'],
  ])('is windows-1252 if the only non-ASCII text is %s', (_, text) => {
    expect(readText(iconv.encode(text, 'windows-1252'), WHOLE_FILE)).toEqual({ encoding: 'windows-1252', text });
  });

  it.each([
    ['windows-1250', 'kwota;opis\n5 zł;tak\n7 zł;nie\n'],
    ['windows-1250', 'a;b\nŁukasz;1\nPaweł;2\n'],
    ['windows-1250', 'a;b\nJiří;1\nDvořák;2\n'],
    ['windows-1251', 'a;b\nда;1\nнет;2\n'],
    ['windows-1253', 'όνομα;πόλη\nΆννα;Αθήνα\nΜαρία;Πάτρα\n'],
    ['windows-1254', 'ad;şehir\nAyşe;İstanbul\nIşık;Muğla\n'],
    ['windows-1255', 'שם;עיר\nדוד;ירושלים\nרחל;חיפה\n'],
  ])('is not mistaken for windows-1252 if it is %s', (encoding, text) => {
    expect(readText(iconv.encode(text, encoding), WHOLE_FILE).text).toBe(text);
  });

  it.each([
    ['cp850', 'id;straße;ort\n1;Gärtnerstraße;Köln\n2;Mühlenweg;Fürth\n3;Schloßallee;Gößweinstein\n'],
    ['cp850', 'id;ville\n1;Besançon\n2;Orléans\n3;Nîmes\n4;Angoulême\n5;Fréjus\n6;Béziers\n'],
    ['macintosh', 'id;ville\n1;Besançon\n2;Orléans\n3;Nîmes\n4;Angoulême\n5;Fréjus\n6;Béziers\n'],
    ['macintosh', 'id;straße;ort\n1;Gärtnerstraße;Köln\n2;Mühlenweg;Fürth\n3;Schloßallee;Gößweinstein\n'],
    ['macintosh', 'id;ciudad\n1;Málaga\n2;León\n3;A Coruña\n4;Cádiz\n5;Logroño\n6;Córdoba\n'],
    ['iso-8859-15', 'id;mot;prix\n1;cœur;5 €\n2;sœur;7 €\n3;œuvre;9 €\n'],
    ['iso-8859-15', 'id;price\n1;5 €\n2;7 €\n'],
    ['iso-8859-2', 'id;miasto\n1;Łódź\n2;Świętochłowice\n3;Częstochowa\n4;Będzin\n5;Jastrzębie-Zdrój\n6;Żory\n'],
    ['iso-8859-2', 'id;město\n1;Plzeň\n2;Ústí nad Labem\n3;Děčín\n4;Třebíč\n5;Žďár nad Sázavou\n6;Šumperk\n'],
    ['cp852', 'id;miasto\n1;Łódź\n2;Świętochłowice\n3;Częstochowa\n4;Będzin\n5;Jastrzębie-Zdrój\n6;Żory\n'],
    ['euc-jp', 'id,名前,都市\n1,山田さくら,さいたま\n2,佐藤ひかり,東京\n'],
    ['shift_jis', 'id;国\n1;アルゼンチン\n2;オーストラリア\n3;シンガポール\n4;ギリシャ\n'.repeat(20)],
    ['shift_jis', 'id,名前,都市\n1,山田さくら,さいたま\n2,佐藤ひかり,東京\n'],
  ])('is detected as %s from the letters of one language: %j', (encoding, text) => {
    expect(readText(iconv.encode(text, encoding), WHOLE_FILE).text).toBe(text);
  });

  it.each(['utf-32le', 'utf-32be'])('is detected as %s without a byte order mark', (encoding) => {
    const text = 'a,ü\n東京,😀\n';
    const bytes = iconv.encode(text, encoding, { addBOM: false });
    expect(readText(bytes, WHOLE_FILE)).toEqual({ encoding, text });
    expect(readText(bytes.subarray(0, -2), TRUNCATED_FILE)).toEqual({ encoding, text: text.slice(0, -1) });
  });

  it('is not UTF-32 if one group of bytes is not a character', () => {
    const bytes = iconv.encode('a,b\n1,2\n', 'utf-32le', { addBOM: false });
    for (const [at, byte] of [
      [2, 0x11],
      [3, 1],
      [0, 0],
      [1, 0xd8],
    ] as const) {
      const changed = Buffer.from(bytes);
      changed[at] = byte;
      expect(csvFaultOf(() => readText(changed, WHOLE_FILE))).toBe('004');
    }
  });

  it('is detected as UTF-16 with Korean letters whose low byte is NUL', () => {
    const text = '저수지,1234567890\n'.repeat(20);
    expect(readText(iconv.encode(text, 'utf-16le'), WHOLE_FILE).text).toBe(text);
  });

  it('is detected as UTF-16 even with few ASCII characters', () => {
    const text = '名前,都市\n太郎,東京\n花子,大阪\n';
    expect(readText(Buffer.from(text, 'utf16le'), WHOLE_FILE)).toEqual({ encoding: 'utf-16le', text });
  });

  it('ignores an incomplete character at the end of a head', () => {
    expect(readText(Buffer.from('a,€').subarray(0, 4), TRUNCATED_FILE).text).toBe('a,');
    expect(readText(Buffer.from('\ufeffa,😀', 'utf16le').subarray(0, 8), TRUNCATED_FILE).text).toBe('a,');
  });
});

describe('a detected encoding', () => {
  const dialectOf = (text: string, encoding: string) => {
    const head = checkHead(iconv.encode(text, encoding), WHOLE_FILE);
    return head === 'more' ? undefined : head.schema.dialect;
  };

  it('has a confidence if it is a guess', () => {
    const { encoding, encodingConfidence } = dialectOf('id,word\n1,Caf\u00e9\n2,tea\n', 'macintosh') ?? {};
    expect(encoding).toEqual(expect.any(String));
    expect(encodingConfidence).toBeGreaterThan(0);
    expect(encodingConfidence).toBeLessThan(0.9);
  });

  it.each([
    ['utf-8', 'id,word\n1,Café\n'],
    ['windows-1252', 'id;Straße;Ort\n1;Gärtnerstraße;Köln\n2;Mühlenweg;Fürth\n3;Schloßallee;Gößweinstein\n'],
  ])('has no confidence if it is certain: %s', (encoding, text) => {
    expect(dialectOf(text, encoding)).toMatchObject({ encoding });
    expect(dialectOf(text, encoding)).not.toHaveProperty('encodingConfidence');
  });
});

describe('readText', () => {
  it.each([
    ['001', 'an empty file', Buffer.alloc(0)],
    ['001', 'only a byte order mark', Buffer.from('\ufeff')],
    ['001', 'blank lines', Buffer.from(' \r\n\t\n')],
    ['002', 'ISO-2022-JP', latin1('a\n\x1b$B$3$s\x1b(B\n')],
    ['004', 'a NUL among single bytes', Buffer.from('a,b\n1,\0\n')],
    ['004', 'a NUL in UTF-16', Buffer.from('\ufeffa,\0\n', 'utf16le')],
    ['004', 'control characters', Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7) % 30 || 1))],
  ])('throws %s for %s', (code, _, bytes) => {
    expect(csvFaultOf(() => readText(bytes, WHOLE_FILE))).toBe(code);
  });

  it.each([
    ['an invalid byte in UTF-8', Buffer.concat([Buffer.from('Köln,Zürich,Malmö,Århus\n'), Buffer.of(0xff)]), 28],
    ['an invalid byte after a byte order mark', latin1('\xef\xbb\xbfa\xffb\n'), 4],
    ['an unpaired surrogate in UTF-8', latin1('a,b\n1,\xed\xa0\x80\n'), 6],
    [
      'an unpaired surrogate in UTF-16',
      Buffer.concat([Buffer.from('\ufeffa', 'utf16le'), Buffer.of(0, 0xd8, 0x0a, 0)]),
      4,
    ],
    ['an incomplete character at the end of a whole file', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5), 4],
  ])('throws 003 with the offset for %s', (_, bytes, offset) => {
    expect(csvFaultOf(() => readText(bytes, WHOLE_FILE))).toBe('003');
    expect(() => readText(bytes, WHOLE_FILE)).toThrow(`offset ${offset} `);
  });

  it('accepts U+FFFD in the text', () => {
    expect(readText(Buffer.from('a,\ufffd\n'), WHOLE_FILE).text).toBe('a,\ufffd\n');
  });
});
