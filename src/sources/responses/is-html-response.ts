import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';

/** Whether a reply is HTML. Sign-in pages come with a 200 as well, and no API answers with one. */
export function isHtmlResponse({ headers, body }: Pick<OutboundReply, 'headers' | 'body'>): boolean {
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) return true;
  return /^\s*<(!doctype|html)\b/i.test(body.toString('utf8', 0, 1_024));
}
