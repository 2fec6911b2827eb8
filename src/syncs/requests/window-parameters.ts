import type { IncrementalParams } from '../../catalog/model/tap-sync.js';
import { templateVariables } from '../../catalog/template-variables.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import { compileTimeFormat } from '../../kernel/formats/time-format.js';
import { endOfUnit, startOfNextUnit, startOfUnit } from '../../kernel/formats/time-units.js';
import { TapReadError } from '../tap-read-error.js';
import type { ReadWindow, TapReading } from '../tap-reading.js';
import { fillTemplates } from './fill-templates.js';
import { hasBody, type RequestDraft, withBodyValue, withParameter } from './request-draft.js';
import { templateValues, type WindowTimes } from './template-values.js';

type Formats = Pick<
  IncrementalParams,
  'sinceFormat' | 'untilFormat' | 'sinceIsExclusive' | 'untilIsExclusive' | 'granularity'
>;

/** Returns an empty object without a window. */
export function windowTimes({ tap, window }: TapReading): WindowTimes {
  const params = tap.sync.incrementalParams ?? {};
  const sinceFormat = params.sinceFormat ?? params.bodyFilterFormat;
  return window ? formatWindow(window, { ...params, sinceFormat }) : {};
}

/** If the window has no start, omits the parameters of the start. */
export function withWindow(draft: RequestDraft, reading: TapReading): RequestDraft {
  const { window, tap } = reading;
  const params = tap.sync.incrementalParams;
  if (!window || !params) return draft;
  return withBodyFilter(withParameters(draft, reading, params), reading, params, window);
}

function withParameters(draft: RequestDraft, reading: TapReading, params: IncrementalParams): RequestDraft {
  const { sinceParam, untilParam, queryParam, queryTemplate } = params;
  const times = windowTimes(reading);
  const template = queryTemplate ?? '{since}';
  const value = queryParam && fillTemplates(template, templateValues(reading, times), reading.wildcard);
  const parameters: [string | undefined, unknown][] = [
    [sinceParam, times.since],
    [untilParam, times.until],
    [queryParam, value],
  ];
  return parameters.reduce(
    (built, [name, found]) => (name && found !== undefined ? withParameter(built, name, found) : built),
    draft,
  );
}

function withBodyFilter(
  draft: RequestDraft,
  reading: TapReading,
  { bodyFilterPath, bodyFilterEndPath, bodyFilterTemplate, bodyFilterFormat, ...params }: IncrementalParams,
  window: ReadWindow,
): RequestDraft {
  // An alternative transport option may send no body, and therefore no window. Its response then contains all records.
  if (!hasBody(draft)) return draft;
  const times = formatWindow(window, { ...params, sinceFormat: bodyFilterFormat, untilFormat: bodyFilterFormat });
  const start = bodyFilterTemplate ? fillBodyTemplate(bodyFilterTemplate, reading, times) : times.since;
  const values: [string | undefined, unknown][] = [
    [bodyFilterPath, start],
    [bodyFilterEndPath, times.until],
  ];
  return values.reduce(
    (built, [path, value]) =>
      path && value !== undefined ? withBodyValue(built, path, typedLike(valueAtPath(draft.body, path), value)) : built,
    draft,
  );
}

/**
 * If the template is JSON, inserts the values after parsing, so that no value can change its structure. Returns
 * undefined if a variable has no value.
 */
function fillBodyTemplate(template: string, reading: TapReading, times: WindowTimes): unknown {
  const values = templateValues(reading, times);
  if (templateVariables(template).some((name) => values(name) === undefined)) return undefined;
  return fillTemplates(parsedObject(template) ?? template, values, reading.wildcard);
}

function parsedObject(template: string): object | undefined {
  if (!/^\s*[{[]/.test(template)) return undefined;
  try {
    return JSON.parse(template) as object;
  } catch {
    return undefined;
  }
}

/** Some sources expect numbers as strings. */
export function typedLike(old: unknown, value: unknown): unknown {
  return typeof old === 'string' && typeof value === 'number' ? String(value) : value;
}

function formatWindow({ since, until }: ReadWindow, formats: Formats): WindowTimes {
  const {
    sinceFormat = 'iso8601',
    untilFormat = sinceFormat,
    granularity,
    sinceIsExclusive,
    untilIsExclusive,
  } = formats;
  const [start, end] = [compiled(sinceFormat), compiled(untilFormat)];
  const [from, to] = [since?.getTime(), until.getTime()];
  const first = from === undefined || !granularity ? from : startOfUnit(from, granularity);
  const last = granularity ? endOfUnit(to, granularity) : to;
  const before = (time: number) => (granularity ? startOfUnit(time - 1, granularity) : time - start.unitMs);
  const after = (time: number) => (granularity ? startOfNextUnit(time, granularity) : time + end.unitMs);
  return {
    ...(first !== undefined && { since: start.formatStart(new Date(sinceIsExclusive ? before(first) : first)) }),
    until: end.formatEnd(new Date(untilIsExclusive ? after(last) : last)),
  };
}

function compiled(format: string) {
  const found = compileTimeFormat(format);
  if (!found) throw new TapReadError('contract', 'fail_tap', `The time format ${format} of the tap is not supported.`);
  return found;
}
