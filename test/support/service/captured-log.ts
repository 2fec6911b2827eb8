import { Writable } from 'node:stream';
import type { Client } from './service.js';

/** All that a service says to the outside, in the order in which it says it. */
export interface CapturedLog {
  /** For its log. */
  readonly log: NodeJS.WritableStream;
  readonly lines: readonly string[];
  /** Headers and bodies of all replies to the clients that are listened to. */
  readonly replies: readonly string[];
  /** The same client, listened to. */
  client(client: Client): Client;
}

export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const replies: string[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const client = (one: Client): Client => {
    const { request } = one;
    one.request = async (path, init) => {
      const reply = await request(path, init);
      replies.push([reply.status, ...[...reply.headers].flat(), reply.text].join('\n'));
      return reply;
    };
    return one;
  };
  return { log, lines, replies, client };
}
