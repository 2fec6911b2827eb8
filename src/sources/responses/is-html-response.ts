import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';

/** Detects pages such as a sign-in page, which can have status 200. An API does not return HTML. */
export function isHtmlResponse({ headers, body }: Pick<OutboundReply, 'headers' | 'body'>): boolean {
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return true;
  return /^\s*<(!doctype|html)\b/i.test(body.toString('utf8', 0, 1_024));
}
