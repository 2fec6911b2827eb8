import type { OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

/** Checks the address and port of each request, and the size of its response. Throws `OutboundError`. */
export type Send = (url: string, request?: OutboundRequest) => Promise<OutboundReply>;

/** `requestId` is the id of a request or job. If the service blocks the address of a call, the log contains this id. */
export type SendFor = (requestId: string) => Send;

export interface SourceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}
