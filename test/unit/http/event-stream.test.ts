import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { EventStream } from '../../../src/http/graphql/event-stream.js';

const EVENT = 'x'.repeat(64 * 1024);

describe('an event stream', () => {
  it('ends after the last chunk', async () => {
    const stream = new EventStream();
    const body = text(stream.body);
    await stream.write(chunksOf('a', 'b'));
    expect(await body).toBe('ab');
    if (!stream.closed.aborted) await once(stream.closed, 'abort');
  });

  it('takes no more chunks than fit its buffers until the client reads, and disconnects a client that does not read', async () => {
    let taken = 0;
    const stream = new EventStream(50);
    const endless = async function* (): AsyncGenerator<string> {
      for (;;) {
        taken++;
        yield EVENT;
      }
    };
    await stream.write(endless());
    expect(taken).toBe(2);
    expect([stream.body.destroyed, stream.closed.aborted]).toEqual([true, true]);
  });

  it('continues when a slow client reads again', async () => {
    const stream = new EventStream(60_000);
    const writing = stream.write(chunksOf(EVENT, EVENT, EVENT));
    await new Promise(setImmediate);
    expect(await text(stream.body)).toHaveLength(3 * EVENT.length);
    await writing;
  });

  it('stops taking chunks when the client disconnects', async () => {
    const stream = new EventStream();
    const writing = stream.write(chunksOf('a', EVENT, EVENT));
    stream.body.destroy();
    await writing;
    expect(stream.closed.aborted).toBe(true);
  });
});

async function* chunksOf(...chunks: string[]): AsyncGenerator<string> {
  yield* chunks;
}
