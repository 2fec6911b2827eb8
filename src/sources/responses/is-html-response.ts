import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';

/** A sign-in page can have status 200, and APIs do not return HTML. */
export function isHtmlResponse({ headers, body }: Pick<OutboundReply, 'headers' | 'body'>): boolean {
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return true;
  return /^\s*<(!doctype|html)\b/i.test(body.toString('utf8', 0, 1_024));
}
