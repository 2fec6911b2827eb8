import type { ColumnFormat, Doubt } from '../formats/column-format.js';
import type { FieldType } from '../model/data-schema.js';

interface NameHint {
  /** Words in column names, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly contradicts: (format: ColumnFormat, values: readonly string[]) => boolean;
  readonly level: Doubt['level'];
  /** End of the message "The name of the column suggests …". */
  readonly meaning: string;
}

const NUMBERS: readonly FieldType[] = ['Integer', 'Decimal', 'Double'];
const isNumber = ({ type }: ColumnFormat) => NUMBERS.includes(type);
const isWholeNumber = ({ type, scale = 0 }: ColumnFormat) => type === 'Integer' || (type === 'Decimal' && scale === 0);

/**
 * Minimum length of a number that may be an identifier or a time. Shorter numbers in a column such as `accounts` are
 * counts.
 */
const MIN_NUMBER_DIGITS = 5;
const isLong = (values: readonly string[]) =>
  values.filter((value) => value.length >= MIN_NUMBER_DIGITS).length * 2 > values.length;

/** A hint adds a doubt to the detected type. With the level `undecided`, the type becomes String. */
const HINTS: readonly NameHint[] = [
  {
    // As numbers, the versions 1.10 and 1.1 would be equal.
    words: wordsOf('version release'),
    contradicts: ({ type }) => type !== 'String',
    level: 'undecided',
    meaning: 'versions',
  },
  {
    words: wordsOf(
      'duration dauer laufzeit fahrzeit reisezeit spieldauer durée duree duración duracion durata duração duracao ' +
        'duur looptijd czas trwania varaktighet varighed varighet elapsed runtime playtime uptime lap',
    ),
    contradicts: ({ type }) => type === 'Time',
    level: 'undecided',
    meaning: 'durations',
  },
  {
    words: wordsOf(
      'birth birthday birthdate dob born geburt geburtstag geburtsdatum geboren naissance nacimiento nascita ' +
        'nascimento geboorte geboortedatum urodzenia född født fødselsdato narození',
    ),
    contradicts: ({ format }) => hasShortYear(format),
    level: 'undecided',
    meaning: 'dates of birth, whose century is unknown if the year has two digits',
  },
  {
    words: wordsOf(
      'phone telephone tel mobile fax cell telefon telefonnummer handy mobil telefono teléfono téléphone telefone ' +
        'telefoon celular móvil movil account accountno iban konto kontonummer compte cuenta conto conta rekening ' +
        'rachunek kontonr imei ssn',
    ),
    contradicts: (format, values) => isWholeNumber(format) && isLong(values),
    level: 'undecided',
    meaning: 'telephone or account numbers',
  },
  {
    words: wordsOf('country land pays país pais paese kraj nation nationality language lang sprache langue locale'),
    contradicts: ({ type }) => type === 'Boolean',
    level: 'undecided',
    meaning: 'countries or languages',
  },
  {
    words: wordsOf(
      'account card code ean fax gtin iban imei ip isbn issn mobile phone plz postal postcode serial sku ssn tel ' +
        'telephone upc version zip zipcode cap cep',
    ),
    contradicts: (format) => isNumber(format) || format.type === 'Date' || format.type === 'DateTime',
    level: 'low',
    meaning: 'identifiers',
  },
  {
    words: wordsOf('at date datetime epoch timestamp ts datum fecha'),
    contradicts: ({ type }, values) => type === 'Integer' && isLong(values),
    level: 'low',
    meaning: 'dates or times',
  },
];

export function nameDoubts(name: string, format: ColumnFormat, values: readonly string[]): Doubt[] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return HINTS.filter((hint) => words.some((word) => hint.words.has(word)) && hint.contradicts(format, values)).map(
    ({ level, meaning }) => ({ level, reason: `The name of the column suggests ${meaning}.` }),
  );
}

function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

function hasShortYear(format = ''): boolean {
  return /(?<!y)yy(?!y)/.test(format);
}
