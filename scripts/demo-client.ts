import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds for which something is waited for, and between two looks. */
const PATIENCE = 120_000;
const PAUSE = 500;

/** A caller in one workspace of a running service. What is refused is thrown, in the words of the service. */
export class DemoClient {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** `data` of a reply of the REST interface. */
  async get<Data>(path: string): Promise<Data> {
    return ((await (await this.#ask(path)).json()) as { data: Data }).data;
  }

  async getText(path: string): Promise<string> {
    return (await this.#ask(path)).text();
  }

  async post<Data>(path: string, body: object): Promise<Data> {
    const isForm = body instanceof FormData;
    const reply = await this.#ask(path, {
      method: 'POST',
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { 'content-type': 'application/json' },
    });
    return ((await reply.json()) as { data: Data }).data;
  }

  /** `data` of an answer over GraphQL. */
  async question<Data>(query: string, variables: object): Promise<Data> {
    const body = JSON.stringify({ query, variables });
    const reply = await this.#ask('/graphql', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const { data, errors } = (await reply.json()) as { data: Data; errors?: { message: string }[] };
    if (errors?.[0]) throw new Error(errors[0].message);
    return data;
  }

  async #ask(path: string, { headers, ...request }: RequestInit & { headers?: Record<string, string> } = {}) {
    const reply = await fetch(this.url + path, { ...request, headers: { ...this.headers, ...headers } });
    if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`);
    return reply;
  }
}

/** Looks again and again until there is something. */
export async function waitFor<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await sleep(PAUSE)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what}: nothing within ${PATIENCE / 1_000} seconds; do the jobs of the service run?`);
}
