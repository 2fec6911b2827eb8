import { backgroundTurn } from '../../kernel/concurrency/background-turn.js';
import { releaseBuffer } from '../../kernel/files/release-buffer.js';
import { type SpooledBytes, spoolBytes } from '../../kernel/files/spooled-bytes.js';
import { decodeChunks, isUtf8Body } from '../responses/decode-text.js';
import { failureOf } from '../responses/failure-table.js';
import { JsonTextError, parseLosslessJson, parseShallowJson } from '../responses/parse-lossless-json.js';
import type { BodyLimits } from './body-limits.js';
import { type FoundList, JsonListScanner, type MemberPath, type PartSizes } from './json-list-scanner.js';

export interface JsonOutline {
  /** The document, with empty lists in place of `lists`. */
  readonly document: unknown;
  readonly lists: readonly FoundList[];
}

/** Returns the same body if its encoding is UTF-8. */
export async function toUtf8Body(body: SpooledBytes, headers: Headers, limits: BodyLimits): Promise<SpooledBytes> {
  if (await isUtf8Body(body, headers)) return body;
  return spoolBytes(encoded(decodeChunks(body, headers, limits.partBytes)), limits);
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Throws `JsonPartTooLarge`. Throws `TapReadError` with class `contract` and a message without text of the source. */
export async function readJsonOutline(
  body: SpooledBytes,
  paths: readonly MemberPath[],
  sizes: PartSizes,
): Promise<JsonOutline> {
  const scanner = new JsonListScanner(paths, sizes);
  for await (const chunk of body.chunks(sizes.partBytes)) {
    await backgroundTurn();
    parsing(() => scanner.write(chunk));
  }
  const { outline, lists } = parsing(() => scanner.end());
  return { lists, document: parsing(() => parseLosslessJson(outline)) };
}

/** Throws `TapReadError` with class `contract` and a message without text of the source. */
export async function* readJsonList(body: SpooledBytes, { parts }: FoundList): AsyncGenerator<unknown[]> {
  for (const { start, end } of parts) {
    await backgroundTurn();
    const bytes = await body.read(start, end);
    const text = bytes.toString();
    releaseBuffer(bytes);
    // Without this check, the function would accept a comma without an element after it.
    if (parts.length > 1 && text.trim() === '') throw invalid(new JsonTextError('is not valid JSON'));
    yield parsing(() => parseShallowJson(`[${text}]`)) as unknown[];
  }
}

function parsing<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw error instanceof JsonTextError ? invalid(error) : error;
  }
}

function invalid({ message }: JsonTextError): Error {
  return failureOf('unexpected_shape', { message: `The response ${message}.` });
}
