import type { FieldType } from '../model/data-schema.js';
import type { ColumnValues } from './column-values.js';
import { type DateLayout, type DatetimeLayout, datetimeLayoutOf, type TimeLayout } from './datetime-layout.js';
import { MONTHS } from './datetime-names.js';

export type DatetimeType = Extract<FieldType, 'Date' | 'DateTime' | 'DateTimeOffset' | 'Time'>;

/** The most frequent format of each type, if at least half of the column has it. */
export type DetectedDatetimeFormats = ReadonlyMap<DatetimeType, DetectedDatetimeFormat>;

export interface DetectedDatetimeFormat {
  readonly format: string;
  /** Whether day and month may be exchanged. */
  readonly isAmbiguous: boolean;
}

/** Evidence from all values with one date template. */
interface DateEvidence {
  readonly template: string;
  count: number;
  /** Number of values whose first or second number cannot be a month. */
  firstOver12: number;
  secondOver12: number;
  /** Number of values whose first number cannot be a day, and so must be a year. */
  firstOver31: number;
  shortest: [number, number];
  fullNames: number;
  shortNames: number;
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

function addDate(dates: Map<string, DateEvidence>, { template, small, monthName }: DateLayout): DateEvidence {
  const evidence = dates.get(template) ?? {
    template,
    count: 0,
    firstOver12: 0,
    secondOver12: 0,
    firstOver31: 0,
    shortest: [2, 2],
    fullNames: 0,
    shortNames: 0,
  };
  dates.set(template, evidence);
  const [first = '', second = '00'] = small;
  evidence.count++;
  if (Number(first) > 12) evidence.firstOver12++;
  if (Number(second) > 12) evidence.secondOver12++;
  if (Number(first) > 31) evidence.firstOver31++;
  evidence.shortest = [Math.min(evidence.shortest[0], first.length), Math.min(evidence.shortest[1], second.length)];
  // The full and the short name of May are the same.
  if (monthName && monthName !== 'may') evidence[MONTHS.includes(monthName) ? 'fullNames' : 'shortNames']++;
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
}

function typeOf(date: DateEvidence | undefined, time: TimeLayout | undefined): DatetimeType {
  if (!time) return 'Date';
  if (!date) return 'Time';
  return /[zO]$/.test(time.template) ? 'DateTimeOffset' : 'DateTime';
}

/** Ties are broken by template, so that the result does not depend on the order of the rows. */
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
  const date = group.date && dateFormat(group.date);
  return {
    format: `${date?.format ?? ''}${group.separator}${timeFormat(group)}`,
    isAmbiguous: date?.isAmbiguous ?? false,
  };
}

function dateFormat(evidence: DateEvidence): DetectedDatetimeFormat {
  const { template, firstOver12, secondOver12, firstOver31, count, shortest } = evidence;
  const [first, second] = shortest;
  const name = evidence.fullNames > evidence.shortNames ? 'MMMM' : 'MMM';
  const day = (width: number) => 'd'.repeat(width);
  const month = (width: number) => 'M'.repeat(width);
  if (template.startsWith('yyyy') && template.includes('M')) {
    return { format: template.replace('M', month(first)).replace('d', day(second)), isAmbiguous: false };
  }
  if (!template.includes('A')) {
    return { format: template.replace('d', day(first)).replace('L', name), isAmbiguous: false };
  }
  const separator = template.charAt(1);
  if (firstOver31 * 2 > count && template.endsWith(`${separator}yy`)) {
    return { format: ['yy', month(second), 'dd'].join(separator), isAmbiguous: false };
  }
  const isDayFirst = firstOver12 >= secondOver12;
  const [a, b] = isDayFirst ? [day(first), month(second)] : [month(first), day(second)];
  return {
    format: template.replace('A', a).replace('B', b),
    isAmbiguous: firstOver12 === 0 && secondOver12 === 0,
  };
}

/** If some offsets are `Z`, the longest numeric offset determines the format. */
function timeFormat(group: Group): string {
  const { timeTemplate, shortestHour, longestFraction, fractionPoint, longestOffset } = group;
  const offset = longestOffset.length === 5 ? 'XX' : longestOffset.length === 3 ? 'X' : 'XXX';
  return timeTemplate
    .replace('K', 'H'.repeat(shortestHour))
    .replace('k', 'h'.repeat(shortestHour))
    .replace('F', longestFraction > 0 ? fractionPoint + 'S'.repeat(longestFraction) : '')
    .replace('O', offset);
}
