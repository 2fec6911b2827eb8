import { isDeepStrictEqual } from 'node:util';
import type { SpooledBytes } from '../../kernel/files/spooled-bytes.js';
import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { keyColumnOf, requireOtherThanJson } from '../responses/decode-body.js';
import { decodeCsvChunks } from '../responses/decode-csv.js';
import { decodeChunks } from '../responses/decode-text.js';
import { noRecordsAt, recordPathsOf, recordsIn } from '../responses/extract-records.js';
import { requireNoReportedFailure } from '../responses/read-tap-response.js';
import type { ResponseFacts } from '../responses/response-facts.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import type { BodyLimits } from './body-limits.js';
import { readJsonList, readJsonOutline, toUtf8Body } from './json-body.js';
import { parseJsonLines } from './json-lines.js';
import { JsonPartTooLarge } from './json-list-scanner.js';
import { type ListPath, listPathOf } from './list-path.js';
import type { PageContent } from './page-content.js';
import { usesList } from './uses-list.js';

/** Maximum size of one record, and of a JSON document without its records. */
const MAX_ELEMENT_BYTES = 8 * 1024 * 1024;

interface Page {
  readonly reading: TapReading;
  readonly reply: OutboundReply;
  readonly body: SpooledBytes;
  /** The first expression with a value applies. Empty if the whole body is the list. */
  readonly paths: readonly string[];
  readonly lists: readonly ListPath[];
}

interface PageContext {
  readonly facts: ResponseFacts;
  readonly limits: BodyLimits;
  /** Bodies that `close` discards. */
  readonly bodies: SpooledBytes[];
}

/**
 * Returns undefined if the service must read the page as a whole:
 * - The page is XML.
 * - A record, or the document without its records, exceeds `MAX_ELEMENT_BYTES`.
 * - An expression of the definition refers to the list of records, or to several records at a time.
 *
 * Throws `FileStoreError`, and `TapReadError` with class `contract`.
 */
export async function streamPage(
  reading: TapReading,
  reply: OutboundReply,
  body: SpooledBytes,
  context: PageContext,
): Promise<PageContent | undefined> {
  const format = reading.tap.responseExtraction.responseFormat ?? 'json';
  const paths = recordPathsOf(reading, context.facts.token);
  const lists = listPathsOf(paths);
  if (format === 'xml' || !lists || lists.some(({ names }) => usesList(reading, names))) return undefined;
  const page = { reading, reply, body, paths, lists };
  return format === 'json' ? streamJson(page, context) : streamRows(page, format, context.limits.partBytes);
}

async function streamJson(page: Page, { facts, limits, bodies }: PageContext): Promise<PageContent | undefined> {
  const { reading, reply, paths, lists } = page;
  const body = await toUtf8Body(page.body, reply.headers, limits);
  bodies.push(body);
  const sizes = { partBytes: limits.partBytes, maxElementBytes: MAX_ELEMENT_BYTES };
  const outline = await readJsonOutline(
    body,
    lists.map(({ names }) => names),
    sizes,
  ).catch((error: unknown) => {
    if (error instanceof JsonPartTooLarge) return undefined;
    throw error;
  });
  if (!outline) return undefined;
  const { document } = outline;
  requireNoReportedFailure(reading, reply, document, facts);
  for (const [nth, path] of lists.entries()) {
    const expression = paths[nth] ?? '';
    const list = outline.lists.find((found) => isDeepStrictEqual(found.path, path.names));
    if (list) return { document, records: recordsOf(page, readJsonList(body, list), nth) };
    const found = expression === '' ? document : evaluateJmesPath(expression, document);
    if (found !== null) return { document, records: single(recordsIn(reading, found, placeOf(expression))) };
  }
  return { document, records: single(noRecordsAt(reading, document, paths)) };
}

/** Returns undefined if `lists` contains the path of a list inside the document. */
function streamRows(page: Page, format: 'csv' | 'jsonl', partBytes: number): PageContent | undefined {
  const { reading, reply, body, lists } = page;
  if (lists.some(({ names }) => names.length > 0)) return undefined;
  const csv = reading.tap.responseExtraction.csv ?? undefined;
  const texts = decodeChunks(body, reply.headers, partBytes, csv?.encoding);
  if (format === 'csv') requireOtherThanJson(reply.headers, format);
  const rows = format === 'csv' ? decodeCsvChunks(texts, keyColumnOf(reading), csv) : parseJsonLines(texts);
  return { document: [], records: recordsOf(page, rows, 0) };
}

async function* recordsOf(
  { reading, paths, lists }: Page,
  parts: AsyncIterable<unknown[]>,
  nth: number,
): AsyncGenerator<readonly VendorRecord[]> {
  const project = lists[nth]?.project;
  const place = placeOf(paths[nth] ?? '');
  let count = 0;
  for await (const part of parts) {
    const records = recordsIn(reading, project ? project(part) : part, place, count);
    count += records.length;
    yield records;
  }
}

async function* single(records: readonly VendorRecord[]): AsyncGenerator<readonly VendorRecord[]> {
  yield records;
}

function placeOf(expression: string): string {
  return expression === '' ? 'the body' : expression;
}

/** Returns undefined unless each expression is the path of a list. */
function listPathsOf(expressions: readonly string[]): readonly ListPath[] | undefined {
  const lists = (expressions.length === 0 ? [''] : expressions).map(listPathOf);
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known : undefined;
}
