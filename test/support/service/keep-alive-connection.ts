import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface KeepAliveReply {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a body, then requests `/healthz` on the same connection, like a proxy with keep-alive. */
export async function postThenGetHealth(
  url: string,
  body: Buffer,
  headers: OutgoingHttpHeaders,
): Promise<[refused: KeepAliveReply, next: KeepAliveReply]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const refused = await send(agent, url, 'POST', headers, body);
    return [refused, await send(agent, new URL('/healthz', url).href, 'GET', {})];
  } finally {
    agent.destroy();
  }
}

async function send(
  agent: Agent,
  url: string,
  method: string,
  headers: OutgoingHttpHeaders,
  body?: Buffer,
): Promise<KeepAliveReply> {
  const outgoing = request(url, { agent, method, headers });
  outgoing.end(body);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, text: await text(reply) };
}
