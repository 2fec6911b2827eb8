import type { OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

/**
 * Sends an outbound call with the HTTP client that checks addresses, ports and the size of responses. Throws
 * `OutboundError`.
 */
export type Send = (url: string, request?: OutboundRequest) => Promise<OutboundReply>;

/**
 * Creates a `Send` for one request or job. If the address guard blocks a call, the log contains the id of the request
 * or job.
 */
export type SendFor = (requestId: string) => Send;

/** An unsigned request to a source. */
export interface SourceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}
