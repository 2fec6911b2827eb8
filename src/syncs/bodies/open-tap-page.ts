import { backgroundTurn } from '../../kernel/concurrency/background-turn.js';
import { type SpooledBytes, spooledInMemory } from '../../kernel/files/spooled-bytes.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { failureOf } from '../responses/failure-table.js';
import { hasBody, isAfterLastPage, readTapResponse, requireData } from '../responses/read-tap-response.js';
import type { ResponseFacts } from '../responses/response-facts.js';
import type { VendorRecord } from '../tap-page.js';
import type { TapReading } from '../tap-reading.js';
import type { BodyLimits } from './body-limits.js';
import type { PageContent } from './page-content.js';
import { streamPage } from './stream-page.js';
import { unpackBody } from './unpack-body.js';

/** The caller must release the body with `close`. */
export interface OpenedPage extends PageContent {
  readonly headers: Headers;
  /** Whether the response means that the previous page was the last page. */
  readonly isAfterLast?: boolean;
  /** Size of the body before decompression. */
  readonly bytes: number;
  /** SHA-1 of the body before decompression. */
  readonly digest: string;
  readonly close: () => Promise<void>;
}

/** Maximum size of a body that the service cannot read part by part. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/** For bodies that are read as a whole: maximum number of records that `records` yields at a time. */
const BATCH_RECORDS = 200;

/**
 * Reads a body above `limits.wholeBytes` part by part, if `streamPage` can do so. Throws `FileStoreError`, and
 * `TapReadError` for a response without a page.
 */
export async function openTapPage(
  reading: TapReading,
  reply: OutboundReply,
  facts: ResponseFacts,
  limits: BodyLimits,
): Promise<OpenedPage> {
  const received = reply.spooled ?? spooledInMemory(reply.body);
  const bodies = [received];
  const close = async (): Promise<void> => {
    for (const body of bodies) await body.discard();
  };
  try {
    if (isAfterLastPage(reading, reply.status, facts))
      return { ...afterLastPage(received), headers: reply.headers, close };
    requireData(reading, reply, facts);
    const body = hasBody(reply) ? await unpackBody(received, limits) : received;
    bodies.push(body);
    const streamed =
      body.size > limits.wholeBytes ? await streamPage(reading, reply, body, { facts, limits, bodies }) : undefined;
    const content = streamed ?? (await readWholePage(reading, reply, body, facts));
    return { ...content, headers: reply.headers, bytes: received.size, digest: received.digest, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function afterLastPage({ size, digest }: SpooledBytes) {
  return { document: null, records: inBatches([]), isAfterLast: true, bytes: size, digest };
}

async function readWholePage(
  reading: TapReading,
  reply: OutboundReply,
  body: SpooledBytes,
  facts: ResponseFacts,
): Promise<PageContent> {
  if (body.size > MAX_WHOLE_BYTES) throw failureOf('oversized');
  const whole = { ...reply, body: await body.read(0, body.size) };
  const { document, records } = readTapResponse(reading, whole, facts);
  return { document, records: inBatches(records) };
}

async function* inBatches(records: readonly VendorRecord[]): AsyncGenerator<readonly VendorRecord[]> {
  for (let from = 0; from < records.length; from += BATCH_RECORDS) {
    if (from > 0) await backgroundTurn();
    yield records.slice(from, from + BATCH_RECORDS);
  }
}
