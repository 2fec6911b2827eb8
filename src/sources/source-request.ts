import type { OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

/** The way out: the guarded client's `request`. Throws `OutboundError`. */
export type Send = (url: string, request?: OutboundRequest) => Promise<OutboundReply>;

/** The way out for one request or job, whose id the log names if the guard refuses a call. */
export type SendFor = (requestId: string) => Send;

/** A request to a source, before it is signed. */
export interface SourceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}
