import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export interface DocumentFlood {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each request sends this query with its own operation name and alias. */
  readonly query: string;
  readonly least: number;
  readonly concurrency: number;
}

// Runs in a separate thread, so that it does not delay the service. Ends after it has received a message and has sent
// at least `least` documents.
const { url, headers, query, least, concurrency } = workerData as DocumentFlood;
const dispatcher = new Agent({ connections: concurrency });
let sent = 0;
let isStopping = false;
parentPort?.once('message', () => {
  isStopping = true;
});

async function sendOneByOne(): Promise<void> {
  while (!isStopping || sent < least) {
    const name = `Flood${sent++}`;
    const document = query.replace(/^query \w+ \{/, `query ${name} { ${name}: __typename`);
    const body = JSON.stringify({ query: document });
    const reply = await request(url, { method: 'POST', headers: { ...headers }, body, dispatcher });
    const { data, errors } = (await reply.body.json()) as { data?: Record<string, unknown>; errors?: unknown };
    if (data?.[name] !== 'Query' || errors) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  }
}

await Promise.all(Array.from({ length: concurrency }, sendOneByOne));
await dispatcher.close();
parentPort?.postMessage(sent);
