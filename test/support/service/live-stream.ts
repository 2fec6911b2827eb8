import { DEMO_WORKSPACE } from '../../../src/tenancy/workspaces/seed-demo.js';
import { waitUntil } from '../database/test-jobs.js';
import type { TestService } from './service.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
type Result = any;

export class LiveStream {
  /** Results that `next` has not returned yet. */
  readonly results: Result[] = [];
  comments = 0;
  isComplete = false;
  isEnded = false;

  constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    void this.#read().catch(() => undefined);
  }

  /** Throws if the stream ends before the next result. */
  async next(): Promise<Result> {
    await waitUntil(() => this.results.length > 0 || this.isEnded);
    if (this.results.length === 0) throw new Error('the stream has ended');
    return this.results.shift();
  }

  async ended(): Promise<void> {
    await waitUntil(() => this.isEnded);
  }

  /** Disconnects. */
  close(): void {
    this.abort.abort();
  }

  async #read(): Promise<void> {
    let text = '';
    try {
      for await (const chunk of this.response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const messages = text.split('\n\n');
        text = messages.pop() as string;
        for (const message of messages) this.#receive(message);
      }
    } finally {
      this.isEnded = true;
    }
  }

  #receive(message: string): void {
    if (message.startsWith(':')) this.comments++;
    else if (message.startsWith('event: complete\n')) this.isComplete = true;
    else this.results.push(JSON.parse(/^event: next\ndata: (.*)$/.exec(message)?.[1] as string));
  }
}

/** `headers` override the default headers. */
export async function openStream(
  service: Pick<TestService, 'url' | 'tokenOf'>,
  query: string,
  { variables = {}, role = 'viewer', slug = DEMO_WORKSPACE, headers = {} } = {} as {
    variables?: object;
    role?: Parameters<TestService['tokenOf']>[0];
    slug?: string;
    headers?: Record<string, string>;
  },
): Promise<LiveStream> {
  const abort = new AbortController();
  const response = await fetch(`${service.url}/graphql/stream`, {
    method: 'POST',
    headers: {
      ...{ accept: 'text/event-stream', 'content-type': 'application/json', 'x-tenant': slug },
      authorization: `Bearer ${await service.tokenOf(role, slug)}`,
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  return new LiveStream(response, abort);
}
