import type { RestBatch } from '../../catalog/model/transport-option.js';
import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import { callSource, type SourceCall, type SourceCallRequest } from '../../sources/calls/call-source.js';
import { getCurrentSession, usesSessions } from '../../sources/calls/current-session.js';
import { baseUrlOf, buildSourceUrl } from '../../sources/source-address.js';
import { failureOf } from '../responses/failure-table.js';
import { parseLosslessJson } from '../responses/parse-lossless-json.js';
import type { VendorRecord } from '../tap-page.js';
import { BATCH_FORMATS, type SubRequest, type SubResponse } from './batch-formats.js';

const DEFAULT_SUB_REQUESTS = 20;
const MAX_RESPONSE_BYTES = 64 * 2 ** 20;

/** Time for which a batch waits for the requests of concurrent readers. */
const GATHER_MS = 20;

interface Waiting {
  readonly request: SourceCallRequest;
  readonly resolve: (reply: OutboundReply) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends the requests of several slices as one request. */
export class BatchSender {
  readonly maxSubRequests: number;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly call: SourceCall,
    private readonly batch: RestBatch,
  ) {
    this.maxSubRequests = batch.maxSubRequests ?? DEFAULT_SUB_REQUESTS;
  }

  /**
   * Returns the response to the request or, if the batch failed, the response to the batch. Throws the errors of
   * `callSource`.
   */
  send(request: SourceCallRequest): Promise<OutboundReply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (this.#waiting.length >= this.maxSubRequests) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting;
    this.#waiting = [];
    this.#sendAll(sent).catch((error: unknown) => {
      for (const { reject } of sent) reject(error);
    });
  }

  async #sendAll(sent: readonly Waiting[]): Promise<void> {
    const format = BATCH_FORMATS[this.batch.format ?? 'json'];
    if (!format || !this.batch.endpoint)
      throw failureOf('invalid_definition', {
        message: 'The batch setting of the tap lacks an endpoint, or has an unknown format.',
      });
    const requests = await this.#subRequests(sent);
    const reply = await callSource(this.call, {
      ...{ method: 'POST', path: this.batch.endpoint, json: format.encode(requests) },
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const isAccepted = reply.status >= 200 && reply.status < 300;
    const responses = isAccepted ? format.decode(documentOf(reply)) : undefined;
    for (const [at, { resolve, reject }] of sent.entries()) {
      const found = responses?.get(requests[at]?.id);
      if (!responses) resolve(reply);
      else if (found) resolve(replyOf(found, reply));
      else
        reject(
          failureOf('unexpected_shape', {
            message: 'The response to a batch lacks the response to one of its requests.',
          }),
        );
    }
  }

  async #subRequests(sent: readonly Waiting[]): Promise<SubRequest[]> {
    const { connection } = this.call;
    const session = usesSessions(connection) ? (await getCurrentSession(this.call)).stored.session : undefined;
    const basePath = baseUrlOf(connection, session?.addressValues).pathname.replace(/\/$/, '');
    return sent.map(({ request: { method = 'GET', path, query, variables, headers = {}, json, text } }, at) => {
      const url = buildSourceUrl(connection, session?.addressValues, path, query, variables);
      const absolutePath = url.pathname + url.search;
      const own = json === undefined ? {} : { 'Content-Type': 'application/json' };
      const all = Object.entries({ ...own, ...headers }).map(([name, value]) => [name, String(value)]);
      return {
        ...{ id: `${at + 1}`, method, absolutePath },
        path: absolutePath.startsWith(`${basePath}/`) ? absolutePath.slice(basePath.length) : absolutePath,
        headers: Object.fromEntries(all),
        body: json ?? text,
      };
    });
  }
}

function documentOf({ body }: OutboundReply): VendorRecord {
  try {
    return parseLosslessJson(body.toString()) as VendorRecord;
  } catch {
    throw failureOf('unexpected_shape', { message: 'The response to a batch of requests is not JSON.' });
  }
}

function replyOf({ status, headers, body }: SubResponse, { url }: OutboundReply): OutboundReply {
  const fields = Object.entries((headers ?? {}) as object).map(([name, value]): [string, string] => [name, `${value}`]);
  const text = typeof body === 'string' ? body : body == null ? '' : JSON.stringify(body);
  return { status: Number(status), headers: new Headers(fields), body: Buffer.from(text), url };
}
