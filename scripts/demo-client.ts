import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 500;

/** If a call fails, the method throws an error with the message of the service. */
export class DemoClient {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async get<Data>(path: string): Promise<Data> {
    return ((await (await this.#request(path)).json()) as { data: Data }).data;
  }

  async getText(path: string): Promise<string> {
    return (await this.#request(path)).text();
  }

  async post<Data>(path: string, body: object): Promise<Data> {
    const isForm = body instanceof FormData;
    const reply = await this.#request(path, {
      method: 'POST',
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { 'content-type': 'application/json' },
    });
    return ((await reply.json()) as { data: Data }).data;
  }

  async query<Data>(document: string, variables: object): Promise<Data> {
    const body = JSON.stringify({ query: document, variables });
    const reply = await this.#request('/graphql', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const { data, errors } = (await reply.json()) as { data: Data; errors?: { message: string }[] };
    if (errors?.[0]) throw new Error(errors[0].message);
    return data;
  }

  async #request(path: string, { headers, ...request }: RequestInit & { headers?: Record<string, string> } = {}) {
    const reply = await fetch(this.url + path, { ...request, headers: { ...this.headers, ...headers } });
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}: ${await reply.text()}`);
    return reply;
  }
}

/** Polls until `look` returns a value. Throws an error after `WAIT_TIMEOUT_MS`. */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | undefined>,
  pollIntervalMs = POLL_INTERVAL_MS,
): Promise<Found> {
  for (const until = Date.now() + WAIT_TIMEOUT_MS; Date.now() < until; await sleep(pollIntervalMs)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`Timed out after ${WAIT_TIMEOUT_MS / 1_000} seconds waiting for ${what}.`);
}
