import { tmpdir } from 'node:os';
import type {
  ConnectorDefinition,
  StrategyDefinition,
  TapDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import type { PageRead } from '../../../src/syncs/reading/page-read.js';
import { prepareTap } from '../../../src/syncs/reading/prepare-tap.js';
import { readPages } from '../../../src/syncs/reading/read-pages.js';
import type { RequestTrace } from '../../../src/syncs/reading/request-trace.js';
import type { TapReadError } from '../../../src/syncs/tap-read-error.js';
import type { ReadWindow } from '../../../src/syncs/tap-reading.js';
import { aTap } from '../catalog/definition-builders.js';
import { type ReceivedRequest, SourceServer, type StubResponse } from '../servers/source-server.js';
import { aConnection } from '../sources/source-connection.js';

export const TOKEN = 'secret-token';

interface Setting {
  readonly tap?: Partial<TapDefinition>;
  readonly retry?: { maxRetries?: number; maxRetryTimeSeconds?: number };
  readonly from?: PageToken;
  readonly signal?: AbortSignal;
  readonly strategy?: Partial<StrategyDefinition>;
  readonly others?: TapDefinition[];
  readonly window?: ReadWindow;
  readonly connector?: Partial<ConnectorDefinition>;
}

type Respond = (request: ReceivedRequest) => StubResponse | Promise<StubResponse>;

export const threePages = ({ url }: ReceivedRequest): StubResponse => {
  const page = Number(url.searchParams.get('after') ?? 0);
  const items = [{ id: 2 * page + 1 }, { id: 2 * page + 2 }];
  return { items, ...(page < 2 && { next: page + 1 }) };
};
export const ALL = [1, 2, 3, 4, 5, 6];

/** Returns these responses in order, and then the responses of `threePages`. */
export function first(...responses: StubResponse[]): Respond {
  return (request) => responses.shift() ?? threePages(request);
}

export class StubbedVendor {
  server!: SourceServer;
  respond: Respond = threePages;
  traces: RequestTrace[] = [];
  limitError: Error | undefined;
  /** Replaces the wait that the rate limits impose before a request. */
  limitWait: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Pauses that the rate limits imposed on all processes, in milliseconds. */
  pauses: number[] = [];

  async open(): Promise<void> {
    this.server = await new SourceServer((request) => this.respond(request)).open();
  }

  reset(): void {
    this.server.requests.length = 0;
    this.traces = [];
    this.pauses = [];
    this.limitError = undefined;
    this.limitWait = undefined;
  }

  async *pagesOf(setting: Setting = {}): AsyncGenerator<PageRead> {
    const { tap, retry = { maxRetries: 3 }, from, signal, strategy, others = [], window, connector } = setting;
    const definition = aTap({
      responseExtraction: { primaryKey: 'id', responsePath: 'items' },
      transportOptions: [
        {
          apiType: 'rest',
          pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'after' } },
          restConfig: { endpoint: '/items', queryParams: { size: 2 } },
        },
      ],
      ...tap,
    });
    const connection = aConnection({
      connector: { defaultBaseUrl: this.server.url, rateLimits: { retry }, ...connector },
      strategy: { type: 'bearer', bearerConfig: { tokenField: 'token' }, ...strategy },
      taps: [definition, ...others],
      config: { token: TOKEN, username: 'user-name', password: 'pass-word' },
    });
    const throttle = {
      acquire: async (waiting?: AbortSignal) => {
        if (this.limitError) throw this.limitError;
        await this.limitWait?.(waiting);
        return async () => undefined;
      },
      pause: async (milliseconds: number) => void this.pauses.push(milliseconds),
    };
    const source = {
      call: { connection, sessions: new InMemorySessionStore(), send: this.server.send, throttle },
      workFolder: tmpdir(),
      onRequest: (trace: RequestTrace) => void this.traces.push(trace),
      random: () => 0.01,
    };
    const ongoing = signal ?? new AbortController().signal;
    const [declared] = connection.taps as never[];
    const prepared = await prepareTap(source, declared as never, ongoing);
    const reading = { ...prepared, variables: {}, parentFields: {}, ...(window && { window }) };
    yield* readPages(source, reading, from, ongoing);
  }

  async idsOf(setting?: Setting): Promise<unknown[]> {
    const ids: unknown[] = [];
    for await (const { records } of this.pagesOf(setting)) ids.push(...records.map(({ record }) => record.id));
    return ids;
  }

  failureOf(setting?: Setting): Promise<TapReadError> {
    return this.idsOf(setting).then(fail, (error) => error);
  }
}

function fail(): never {
  throw new Error('the read succeeded');
}
