import type { ValueKind } from './csv-system.js';

export interface ConversionTrap {
  readonly name: string;
  /** Defaults to `value`. */
  readonly title?: string;
  /** Values of a second column, which can show the format of `values`. */
  readonly sibling?: readonly string[];
  readonly values: readonly string[];
  /** The correct values, with null for a missing value. If undefined, only the original strings are correct. */
  readonly reading?: { readonly kind: ValueKind; readonly values: readonly (string | null)[] };
}

const times = (count: number, ...values: string[]): string[] =>
  Array.from({ length: count * values.length }, (_, i) => values[i % values.length] as string);

function texts(name: string, ...values: string[]): ConversionTrap {
  return { name, values };
}

function titled(name: string, title: string, ...values: string[]): ConversionTrap {
  return { name, title, values };
}

function numbers(name: string, read: Readonly<Record<string, string | null>>): ConversionTrap {
  const kind = Object.values(read).some((value) => value?.includes('.')) ? 'number' : 'integer';
  return { name, values: Object.keys(read), reading: { kind, values: Object.values(read) } };
}

function repeated(name: string, token: string): ConversionTrap {
  const values = ['12', token, '-7', '2048', token, '31', '5', token, '77'];
  return {
    name,
    values,
    reading: { kind: 'integer', values: values.map((value) => (value === token ? null : value)) },
  };
}

function reading(name: string, kind: ValueKind, read: Readonly<Record<string, string | null>>): ConversionTrap {
  return { name, values: Object.keys(read), reading: { kind, values: Object.values(read) } };
}

export const CONVERSION_TRAPS: readonly ConversionTrap[] = [
  texts('leading zeros', '01234', '00501', '02139', '10001'),
  texts('leading zeros in numbers of different lengths', '007', '42', '1001', '0815'),
  texts('one value with leading zeros', '100200', '000300', '450600', '771200'),
  texts('telephone numbers', '+14155552671', '+442071838750', '+4930901820', '+81312345678'),
  texts('book numbers', '0804429570', '080442957X', '0306406152', '9971502100'),
  texts('three-part versions', '2.2.0', '1.10.3', '1.9.12', '3.0.0'),
  texts('network addresses', '10.0.0.1', '192.168.1.20', '172.16.0.3', '8.8.8.8'),
  texts('hexadecimal', '0x1A', '0x2F', '0xFF', '0x10'),
  texts('underscores in numbers', '1_000', '2_500', '12_000', '7_250'),
  texts('Indian digit groups', '12,34,567', '1,20,000', '45,67,890', '9,99,999'),
  texts('full-width digits', '１２', '３４', '５６', '７８'),
  texts('fractions', '1/2', '3/4', '1/4', '2/3'),
  texts('sizes', '1-2', '3-4', '5-6', '10-12'),
  texts('durations beyond a day', '25:10', '03:15', '31:40', '12:00'),
  texts('one-letter codes', 'f', 'f', 'f', 'f'),
  texts('part numbers that look like exponents', '1203', '12E4', '1188', '1207'),
  texts('one country code only', ...times(25, 'NO')),
  texts('dates of birth with two digits of the year', '13.01.24', '05.07.45', '12.03.62', '28.11.38'),
  texts('compass points', ...times(12, 'N', 'S')),
  texts('weekdays that contradict the date', 'Tue, 13 Mar 2024', 'Tue, 20 Mar 2024', 'Tue, 27 Mar 2024'),
  texts('words among numbers', '12', 'free', '17', 'free', '19', 'free', '25', '31'),
  texts('spaced telephone numbers', '49 171 123 456', '49 172 654 321', '49 151 111 222'),
  titled('durations', 'duration', '03:15', '04:02', '12:40', '02:59'),
  titled('telephone numbers without zeros', 'phone', '4155552671', '2025550143', '3125550198'),
  titled('account numbers', 'Kontonummer', '5323204', '7261992', '1180377'),
  titled('dates of birth', 'birth date', '13.01.24', '28.02.24', '30.11.23'),
  texts('country codes, including NO', 'NO', 'SE', 'NO', 'DK'),
  texts('ambiguous order of day and month', '01/02/2024', '03/04/2024', '05/06/2024', '07/08/2024'),
  texts('mixed orders of day and month', '13/01/2024', '01/13/2024', '28/02/2024', '02/28/2024'),
  texts('a nonexistent day', '28/02/2023', '29/02/2023', '13/03/2023', '31/03/2023'),
  texts(
    'times with and without a time zone',
    '2024-01-01T10:00:00Z',
    '2024-01-01T10:00:00',
    '2024-01-02T11:00:00Z',
    '2024-01-03T12:30:00',
  ),
  texts('numbers too large for a double', '1e400', '2e400', '3e401', '-4e400'),
  texts('percentages and numbers mixed with words', '12 %', 'about 13', '14 %', '15 %'),
  numbers('decimal comma', { '1,5': '1.5', '2,75': '2.75', '0,1': '0.1', '12,25': '12.25' }),
  numbers('points between thousands', {
    '1.234,56': '1234.56',
    '12.345.678,90': '12345678.90',
    '7,25': '7.25',
    '1.000,00': '1000.00',
  }),
  numbers('commas between thousands', {
    '1,234.56': '1234.56',
    '12,345,678.90': '12345678.90',
    '7.25': '7.25',
    '1,000.00': '1000.00',
  }),
  numbers('spaces between thousands', {
    '1 234,5': '1234.5',
    '12 345 678,9': '12345678.9',
    '7,2': '7.2',
    '1 000,0': '1000.0',
  }),
  numbers('apostrophes between thousands', {
    "1'234.5": '1234.5',
    "12'345'678.9": '12345678.9',
    '7.2': '7.2',
    "1'000.0": '1000.0',
  }),
  numbers('negative in parentheses', {
    '(1,234.00)': '-1234.00',
    '2,500.50': '2500.50',
    '(0.75)': '-0.75',
    '10.00': '10.00',
  }),
  {
    ...numbers('points between thousands, next to a column with decimal commas', {
      '83.019': '83019',
      '1.250': '1250',
      '12.750': '12750',
    }),
    sibling: ['1.234,50', '7,25', '99,90'],
  },
  numbers('code of a currency', {
    'EUR 5.00': '5.00',
    'EUR 1,234.50': '1234.50',
    'EUR 0.99': '0.99',
    'EUR 12.00': '12.00',
  }),
  repeated('a repeated abbreviation among integers', 'NR'),
  repeated('an error of a spreadsheet among integers', '#DIV/0!'),
  repeated('k.A. among integers', 'k.A.'),
  reading('German months', 'date', {
    '12. März 2024': '2024-03-12',
    '3. Mai 2024': '2024-05-03',
    '24. Dezember 2023': '2023-12-24',
  }),
  reading('French months', 'date', {
    '12 févr. 2024': '2024-02-12',
    '3 mai 2024': '2024-05-03',
    '24 déc. 2023': '2023-12-24',
  }),
  {
    name: 'German booleans',
    values: times(2, 'ja', 'nein'),
    reading: { kind: 'boolean', values: times(2, 'true', 'false') },
  },
  numbers('percentages', { '12.5 %': '12.5', '7.0 %': '7.0', '100.0 %': '100.0', '0.5 %': '0.5' }),
  numbers('dollars', { '$5.00': '5.00', '$1,234.50': '1234.50', '$0.99': '0.99', '$12.00': '12.00' }),
  numbers('integers of 20 digits', {
    '12345678901234567890': '12345678901234567890',
    '98765432109876543210': '98765432109876543210',
    '11111111111111111112': '11111111111111111112',
  }),
  numbers('integers beyond 2^53', {
    '9007199254740993': '9007199254740993',
    '9007199254740995': '9007199254740995',
    '-9007199254740997': '-9007199254740997',
  }),
  numbers('more digits than a double holds', {
    '0.12345678901234567890': '0.12345678901234567890',
    '1234567890.12345678901': '1234567890.12345678901',
    '3.5': '3.5',
  }),
  ...['NA', 'N/A', 'NULL', '-', '\\N', 'None', '?'].map((token) =>
    numbers(`${token} among integers`, { '12': '12', [token]: null, '-7': '-7', '2048': '2048' }),
  ),
  { name: 'zero and one', values: times(2, '0', '1'), reading: { kind: 'integer', values: times(2, '0', '1') } },
  reading('seconds since 1970', 'integer', {
    '1704067200': '1704067200',
    '1704153600': '1704153600',
    '1704240000': '1704240000',
  }),
  reading('day first, year of two digits', 'date', {
    '13.01.24': '2024-01-13',
    '28.02.24': '2024-02-28',
    '30.11.23': '2023-11-30',
  }),
  reading('month first', 'date', {
    '01/13/2024': '2024-01-13',
    '02/03/2024': '2024-02-03',
    '12/25/2023': '2023-12-25',
  }),
  reading('several zones', 'datetime', {
    '2024-01-01T10:00:00Z': '2024-01-01T10:00:00Z',
    '2024-01-01T10:00:00+02:00': '2024-01-01T08:00:00Z',
    '2024-06-30T23:30:00-05:00': '2024-07-01T04:30:00Z',
  }),
];
