import type { OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

/** Checks the address and port of each request, and the size of its response. Throws `OutboundError`. */
export type Send = (url: string, request?: OutboundRequest) => Promise<OutboundReply>;

/** `requestId` is the id of a request or job. It appears in the log if the address guard blocks a call. */
export type SendFor = (requestId: string) => Send;

export interface SourceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}
