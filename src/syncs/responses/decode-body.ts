import type { ResponseFormat } from '../../catalog/model/response-extraction.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import type { TapReading } from '../tap-reading.js';
import { decodeCsv } from './decode-csv.js';
import { decodeText } from './decode-text.js';
import { decodeXml } from './decode-xml.js';
import { failureOf } from './failure-table.js';
import { JsonTextError, parseLosslessJson } from './parse-lossless-json.js';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/** Throws `TapReadError`, whose message contains no text of the source. */
export function decodeBody(reading: TapReading, { headers, body }: OutboundReply, format: ResponseFormat): unknown {
  const csv = reading.tap.responseExtraction.csv ?? undefined;
  const text = decodeText(body, headers, csv?.encoding);
  if (format === 'json') return parseJson(text, 'The response');
  if (format === 'jsonl') return decodeLines(text);
  requireOtherThanJson(headers, format);
  if (format === 'csv') return decodeCsv(text, keyColumnOf(reading), csv);
  return decodeXml(text, listNamesOf(reading.tap.schema));
}

/**
 * Throws `TapReadError` if the Content-Type is JSON, because an error response would otherwise look like the header of
 * a CSV file.
 */
export function requireOtherThanJson(headers: Headers, format: ResponseFormat): void {
  if (JSON_TYPE.test(headers.get('content-type') ?? ''))
    throw failureOf('unexpected_shape', { message: `The response is JSON instead of ${format}.` });
}

/** Returns undefined if the tap has no primary key, or if the service adds the primary key itself. */
export function keyColumnOf({ tap, parentFields }: TapReading): string | undefined {
  const { primaryKey, syntheticPrimaryKey, transform } = tap.responseExtraction;
  const changed = (transform ?? []).flatMap(({ set, rename }) => [
    ...Object.keys(set ?? {}),
    ...Object.values(rename ?? {}),
  ]);
  const added = [...Object.keys(parentFields), ...changed, syntheticPrimaryKey?.outputField];
  return primaryKey == null || added.includes(primaryKey) ? undefined : primaryKey;
}

/** XML does not distinguish a list of one element from a single element. */
function listNamesOf({ properties }: Record<string, unknown>): ReadonlySet<string> {
  const entries = Object.entries((properties ?? {}) as Record<string, { type?: unknown }>);
  return new Set(entries.filter(([, { type }]) => [type].flat().includes('array')).map(([name]) => name));
}

function decodeLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (const [index, line] of text.split('\n').entries())
    if (line.trim() !== '') values.push(parseJson(line, `Line ${index + 1} of the response`));
  return values;
}

function parseJson(text: string, place: string): unknown {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw failureOf('unexpected_shape', { message: `${place} ${error.message}.` });
  }
}
