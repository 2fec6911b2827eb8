import fc from 'fast-check';
import { DATETIME_LANGUAGES } from '../../../src/csv/formats/datetime-names.js';
import { UNITS } from '../../../src/csv/formats/number-format.js';

const digits = (max: number, width = 0) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(width, '0'));
const decimals = fc.tuple(digits(99_999), fc.constantFrom('.', ',', ''), digits(999)).map((parts) => parts.join(''));
const grouped = fc
  .tuple(digits(999), fc.constantFrom('.', ',', ' ', "'", '\u00a0'), digits(999, 3), fc.constantFrom('', '.5', ',50'))
  .map((parts) => parts.join(''));
/** Numbers of up to 25 digits, with and without thousands separators. */
const long = fc
  .tuple(
    fc.stringMatching(/^[1-9][0-9]{9,24}$/),
    fc.constantFrom('', '.', ',', ' ', "'"),
    fc.constantFrom('', '.5', ',50'),
  )
  .map(([whole, group, fraction]) => whole.replace(/\B(?=([0-9]{3})+$)/g, group) + fraction);
/** Numbers in an unusual notation or out of range, and strings that only resemble numbers. */
const unusual = fc.constantFrom(
  '007',
  '0123.5',
  '12,34,567',
  '1.23.456',
  '1 23',
  '+5',
  '+5.5',
  '5.',
  '.5',
  '-.5',
  '--5',
  '-0',
  '9223372036854775808',
);
const number = fc
  .tuple(fc.constantFrom('', '', '-'), fc.oneof(decimals, grouped, long, digits(999_999)))
  .map((parts) => parts.join(''));
const unit = fc.constantFrom(...UNITS);
const marked = fc
  .tuple(number, unit, fc.constantFrom('%s', '-%s', '(%s)'))
  .chain(([text, mark, sign]) =>
    fc
      .constantFrom(`${text} ${mark}`, `${mark} ${text}`, `${mark}${text}`, text)
      .map((one) => sign.replace('%s', () => one)),
  );
const scientific = fc.tuple(
  digits(99),
  fc.constantFrom('', '.5', '.25'),
  fc.constantFrom('e', 'E', 'e-', 'E+'),
  digits(30),
);
/** Some of these numbers equal a double, and others are between two doubles. */
const precise = fc.oneof(
  fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 13, max: 21 }))
    .map(([double, places]) => double.toExponential(places)),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{14,20}$/), fc.integer({ min: -30, max: 30 }))
    .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${exponent}`),
);
const language = fc.constantFrom(...DATETIME_LANGUAGES.values());
const dayOfMonth = fc
  .tuple(fc.constantFrom('dd', 'd'), fc.integer({ min: 1, max: 31 }))
  .map(([width, day]) => String(day).padStart(width.length, '0'));
const namedDate = fc
  .tuple(
    language,
    fc.constantFrom('full', 'short'),
    fc.nat(30),
    dayOfMonth,
    fc.constantFrom(' ', '-', '. ', '.', ' de '),
    digits(99, 2),
    fc.constantFrom('19', '20', ''),
  )
  .map(([names, length, at, day, separator, year, century]) => {
    const months = [...names.months[length as 'full' | 'short'].keys()];
    const after = separator === '. ' ? ' ' : separator;
    return `${day}${separator}${months[at % months.length]}${after}${century}${year}`;
  });
const weekdayDate = fc
  .tuple(fc.constantFrom('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'), fc.integer({ min: 10, max: 28 }))
  .map(([weekday, day]) => `${weekday}, ${day} Mar 2024`);
const numericDate = fc
  .tuple(
    digits(32, 2),
    digits(13, 2),
    fc.constantFrom('', '19', '20'),
    digits(99, 2),
    fc.constantFrom('.', '-', '/'),
    fc.boolean(),
  )
  .map(([day, month, century, year, separator, yearFirst]) =>
    (yearFirst ? [century + year, month, day] : [day, month, century + year]).join(separator),
  );
const time = fc
  .tuple(
    digits(25),
    digits(60, 2),
    fc.constantFrom('', ':07', ':59.5', ':01,250'),
    fc.constantFrom('', ' am', 'PM', ' p.m.'),
  )
  .map(([hour, minute, rest, half]) => `${hour}:${minute}${rest}${half}`);
const datetime = fc
  .tuple(
    numericDate,
    fc.constantFrom(' ', 'T'),
    time,
    fc.constantFrom('', 'Z', '+02:00', '-0530', ' UTC', ' EST', ' CEST'),
  )
  .map((parts) => parts.join(''));
/**
 * Most values of `datetime` are invalid or have an offset, so a column of these values rarely has the type DateTime.
 */
const existingDatetime = fc
  .tuple(
    fc.integer({ min: 10, max: 31 }),
    fc.constantFrom('%s.07.2024', '2024-07-%s', '%s/07/2024'),
    digits(23, 2),
    digits(59, 2),
  )
  .map(([day, date, hour, minute]) => `${date.replace('%s', String(day))} ${hour}:${minute}`);
const yesOrNo = fc.constantFrom('yes', 'No');
const words = fc.constantFrom('yes', 'No', 'true', 'FALSE', '1', '0', 'ja', 'Nein', 'oui', 'non', 'sí', 'NO', 'T', 'f');
const special = fc.constantFrom('inf', '-inf', '+Infinity', '-INFINITY', 'NaN', '1.5', '-2e5');
const uuid = fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase()));
/** Some of these texts are invalid, and `JSON.stringify(JSON.parse(text))` would change others. */
const json = fc.oneof(
  fc.json(),
  fc.constantFrom('{ "a": 12345678901234567890 }', '[1.10, 1e400]', '{"a":1,"a":2}', '{"\\u0041":[]}', '[ ]', '{"a":'),
);
const others = fc.oneof(
  uuid,
  json,
  fc.constantFrom('NA', '-', "''", 'inf', 'NaN', '0x1A', '+4930901820', '007', '5.', '#DIV/0!', 'NR'),
);

/** `columnValues` repeats a few values of one kind, so that most columns have a type. */
export const valueKinds = [
  number,
  fc.oneof(number, unusual),
  marked,
  special,
  uuid,
  json,
  scientific.map((parts) => parts.join('')),
  precise,
  namedDate,
  weekdayDate,
  numericDate,
  time,
  datetime,
  existingDatetime,
  words,
  yesOrNo,
  others,
];
export const columnValues = fc.oneof(
  ...valueKinds.map((kind) =>
    fc
      .array(kind, { minLength: 1, maxLength: 4 })
      .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 25 })),
  ),
  fc.array(fc.oneof(...valueKinds), { minLength: 1, maxLength: 6 }),
);
