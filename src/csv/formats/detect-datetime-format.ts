import type { FieldType } from '../model/data-schema.js';
import type { Doubt } from './column-format.js';
import type { ColumnValues } from './column-values.js';
import { type DateLayout, type DatetimeLayout, datetimeLayoutOf, type TimeLayout } from './datetime-layout.js';
import { type DateNames, findDatetimeLanguage } from './find-datetime-language.js';
import { FIRST_OF_LAST_CENTURY } from './format-datetime.js';
import { ZONE_OFFSETS } from './time-zones.js';

export type DatetimeType = Extract<FieldType, 'Date' | 'DateTime' | 'DateTimeOffset' | 'Time'>;

/** The most frequent format of each type, if at least half of the values fit the format. */
export type DetectedDatetimeFormats = ReadonlyMap<DatetimeType, DetectedDatetimeFormat>;

export interface DetectedDatetimeFormat {
  readonly format: string;
  /** Language of the names of months and weekdays. Undefined for English. */
  readonly language?: string | undefined;
  readonly doubts: readonly Doubt[];
}

interface DateEvidence {
  readonly template: string;
  count: number;
  /** Number of values whose first number (`firstOver12`) or second number (`secondOver12`) cannot be a month. */
  firstOver12: number;
  secondOver12: number;
  /** Number of values whose first number cannot be a day, and therefore must be a year. */
  firstOver31: number;
  /** Number of values whose last number cannot be a day, and therefore must be a year. */
  lastOver31: number;
  /** Number of values whose first (`firstUnclear`) or last number (`lastUnclear`) could be a year of either century. */
  firstUnclear: number;
  lastUnclear: number;
  shortest: [number, number];
  readonly names: DateNames;
}

interface Group {
  readonly type: DatetimeType;
  readonly date: DateEvidence | undefined;
  readonly separator: string;
  readonly timeTemplate: string;
  count: number;
  shortestHour: number;
  longestFraction: number;
  fractionPoint: string;
  longestOffset: string;
  /** Abbreviations in lower case. */
  readonly zones: Set<string>;
}

export function detectDatetimeFormats(sample: ColumnValues): DetectedDatetimeFormats {
  const dates = new Map<string, DateEvidence>();
  const groups = new Map<string, Group>();
  let misses = 0;
  let last: Group | undefined;
  for (const value of sample.values) {
    const layout = datetimeLayoutOf(value);
    if (layout) {
      const date = layout.date && addDate(dates, layout.date);
      // Most values have the same layout as the previous value.
      last = last && isOf(last, layout, date) ? last : groupOf(groups, layout, date);
      addToGroup(last, layout.time);
    } else if (sample.isMajority(++misses)) return new Map();
  }
  const formats = new Map<DatetimeType, DetectedDatetimeFormat>();
  for (const type of ['Date', 'DateTime', 'DateTimeOffset', 'Time'] as const) {
    const group = largest([...groups.values()].filter((candidate) => candidate.type === type));
    if (!group || !sample.isAtLeastHalf(fitting(group, groups))) continue;
    formats.set(type, detectedFormatOf(group));
  }
  return formats;
}

function addDate(
  dates: Map<string, DateEvidence>,
  { template, small, year, monthName, weekdayName }: DateLayout,
): DateEvidence {
  const evidence = dates.get(template) ?? {
    template,
    count: 0,
    firstOver12: 0,
    secondOver12: 0,
    firstOver31: 0,
    lastOver31: 0,
    firstUnclear: 0,
    lastUnclear: 0,
    shortest: [2, 2],
    names: { months: new Set(), weekdays: new Set() },
  };
  dates.set(template, evidence);
  const [first = '', second = '00'] = small;
  evidence.count++;
  if (Number(first) > 12) evidence.firstOver12++;
  if (Number(second) > 12) evidence.secondOver12++;
  if (Number(first) > 31) evidence.firstOver31++;
  evidence.shortest = [Math.min(evidence.shortest[0], first.length), Math.min(evidence.shortest[1], second.length)];
  if (Number(year) > 31) evidence.lastOver31++;
  if (isUnclearYear(first)) evidence.firstUnclear++;
  if (isUnclearYear(year)) evidence.lastUnclear++;
  if (monthName) evidence.names.months.add(monthName);
  if (weekdayName) evidence.names.weekdays.add(weekdayName);
  return evidence;
}

function isOf(group: Group, { separator, time }: DatetimeLayout, date: DateEvidence | undefined): boolean {
  return group.date === date && group.separator === separator && group.timeTemplate === (time?.template ?? '');
}

function groupOf(
  groups: Map<string, Group>,
  { separator, time }: DatetimeLayout,
  date: DateEvidence | undefined,
): Group {
  const key = `${date?.template ?? ''}|${separator}|${time?.template ?? ''}`;
  const group = groups.get(key) ?? {
    type: typeOf(date, time),
    date,
    separator,
    timeTemplate: time?.template ?? '',
    count: 0,
    shortestHour: 2,
    longestFraction: 0,
    fractionPoint: '.',
    longestOffset: '',
    zones: new Set(),
  };
  groups.set(key, group);
  return group;
}

function addToGroup(group: Group, time: TimeLayout | undefined): void {
  group.count++;
  if (!time) return;
  group.shortestHour = Math.min(group.shortestHour, time.hour.length);
  group.longestFraction = Math.max(group.longestFraction, time.fraction.length - 1);
  if (time.fraction.startsWith(',')) group.fractionPoint = ',';
  if (time.offset.length > group.longestOffset.length) group.longestOffset = time.offset;
  if (time.zone !== undefined) group.zones.add(time.zone);
}

function typeOf(date: DateEvidence | undefined, time: TimeLayout | undefined): DatetimeType {
  if (!time) return 'Date';
  if (!date) return 'Time';
  return /[zO]$/.test(time.template) ? 'DateTimeOffset' : 'DateTime';
}

/**
 * If several groups are equally large, compares their templates, so that the result does not depend on the order of
 * the rows.
 */
function largest(groups: readonly Group[]): Group | undefined {
  const nameOf = ({ date, separator, timeTemplate }: Group) => `${date?.template}|${separator}|${timeTemplate}`;
  return [...groups].sort((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** A DateTime column may contain dates without a time. */
function fitting(group: Group, groups: ReadonlyMap<string, Group>): number {
  const datesAlone = group.type === 'DateTime' ? groups.get(`${group.date?.template}||`) : undefined;
  return group.count + (datesAlone?.count ?? 0);
}

function detectedFormatOf(group: Group): DetectedDatetimeFormat {
  if (!group.date) return { format: timeFormat(group), doubts: [] };
  const date = dateFormat(group.date);
  return {
    ...date,
    format: `${date.format}${group.separator}${timeFormat(group)}`,
    doubts: [...date.doubts, ...zoneDoubts(group.zones)],
  };
}

/** Some abbreviations mean a different offset in some countries, for example `EST` in Australia. */
function zoneDoubts(zones: ReadonlySet<string>): Doubt[] {
  return [...zones].sort().map((zone) => ({
    level: 'low',
    reason: `The time zone ${zone.toUpperCase()} is read as ${ZONE_OFFSETS.get(zone)}.`,
  }));
}

function dateFormat(evidence: DateEvidence): DetectedDatetimeFormat {
  const { template, shortest } = evidence;
  if (template.includes('L')) return namedFormat(evidence);
  if (template.includes('A')) return yearLastFormat(evidence);
  const [month, day] = shortest;
  return { format: template.replace('M', 'M'.repeat(month)).replace('d', 'd'.repeat(day)), doubts: [] };
}

function namedFormat({ template, shortest, names, count, lastUnclear }: DateEvidence): DetectedDatetimeFormat {
  const { language, month, weekday } = findDatetimeLanguage(names);
  const format = template.replace('d', 'd'.repeat(shortest[0])).replace('L', month).replace('W', weekday);
  return {
    format,
    language,
    doubts: format.endsWith('yyyy') || format.startsWith('yyyy') ? [] : centuryDoubts(lastUnclear, count),
  };
}

function yearLastFormat(evidence: DateEvidence): DetectedDatetimeFormat {
  const { template, firstOver12, secondOver12, firstOver31, lastOver31, count } = evidence;
  const [first, second] = evidence.shortest;
  const separator = template.charAt(1);
  const hasShortYear = template.endsWith(`${separator}yy`);
  const yearFirst = ['yy', 'M'.repeat(second), 'dd'].join(separator);
  if (firstOver31 * 2 > count && hasShortYear)
    return { format: yearFirst, doubts: centuryDoubts(evidence.firstUnclear, count) };
  const [dayFirst, monthFirst] = [
    ['d'.repeat(first), 'M'.repeat(second)],
    ['M'.repeat(first), 'd'.repeat(second)],
  ].map(([a = '', b = '']) => template.replace('A', a).replace('B', b)) as [string, string];
  const doubts = hasShortYear ? centuryDoubts(evidence.lastUnclear, count) : [];
  if (firstOver12 === 0 && secondOver12 === 0)
    doubts.push({
      level: 'undecided',
      reason: `${count === 1 ? 'The only value fits' : `All ${count} values fit`} both ${dayFirst} and ${monthFirst}.`,
    });
  if (hasShortYear && secondOver12 === 0 && lastOver31 === 0)
    doubts.push({ level: 'medium', reason: `The values also fit ${yearFirst}.` });
  return { format: firstOver12 >= secondOver12 ? dayFirst : monthFirst, doubts };
}

/** The two-digit years from 40 to 68 are equally likely to be in the 20th and in the 21st century. */
const FIRST_UNCLEAR_YEAR = 40;

function isUnclearYear(year: string): boolean {
  return year.length === 2 && Number(year) >= FIRST_UNCLEAR_YEAR && Number(year) < FIRST_OF_LAST_CENTURY;
}

function centuryDoubts(unclear: number, count: number): Doubt[] {
  const last = FIRST_OF_LAST_CENTURY - 1;
  if (unclear > 0)
    return [
      {
        level: 'undecided',
        reason: `The years ${FIRST_UNCLEAR_YEAR} to ${last} may be in the 20th or in the 21st century (${unclear} of ${count} values).`,
      },
    ];
  const reason = `The century is a guess: the service reads two-digit years up to ${last} as 20xx, and all others as 19xx.`;
  return [{ level: 'medium', reason }];
}

/** The longest offset determines whether the format contains `X`, `XX` or `XXX`. */
function timeFormat(group: Group): string {
  const { timeTemplate, shortestHour, longestFraction, fractionPoint, longestOffset, zones } = group;
  const offset = longestOffset.length === 5 ? 'XX' : longestOffset.length === 3 ? 'X' : 'XXX';
  return timeTemplate
    .replace('K', 'H'.repeat(shortestHour))
    .replace('k', 'h'.repeat(shortestHour))
    .replace('F', longestFraction > 0 ? fractionPoint + 'S'.repeat(longestFraction) : '')
    .replace('O', offset)
    .replace('z', zones.size > 0 ? 'zzz' : 'z');
}
