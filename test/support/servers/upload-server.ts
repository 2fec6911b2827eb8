import type { Server } from 'node:http';
import Koa, { type Context } from 'koa';
import { type MultipartForm, readMultipartForm } from '../../../rest-facade/streams/multipart-form.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { REQUEST_TIMEOUTS, type RequestTimeouts } from '../../../src/http/request-timeouts.js';
import { RawClient } from '../service/raw-client.js';
import { close, listen, originOf } from './loopback.js';

type Work = (form: MultipartForm, ctx: Context) => Promise<unknown>;

/**
 * The real HTTP server, with an app that runs `work` for forms. Other requests wait until the test resolves
 * `released`, except requests for `/ignored`.
 */
export class UploadServer {
  pending = 0;
  work: Work = async () => ({});
  readonly released = Promise.withResolvers<void>();
  #server: Server | undefined;

  async start(limits: Partial<RequestTimeouts> = {}): Promise<void> {
    const app = new Koa({ proxy: false });
    app.silent = true;
    app.use(async (ctx) => {
      this.pending += 1;
      try {
        ctx.body = (await this.#answer(ctx)) ?? {};
      } finally {
        this.pending -= 1;
      }
    });
    this.#server = createHttpServer(app, { limits: { ...REQUEST_TIMEOUTS, ...limits } });
    await listen(this.#server);
  }

  async #answer(ctx: Context): Promise<unknown> {
    if (!ctx.is('multipart/form-data')) return ctx.path === '/ignored' ? {} : this.released.promise;
    const rules = {
      texts: { data: { bytes: 1_000, text: '1,000 bytes' } },
      reject: (message: string) => new Error(message),
    };
    return readMultipartForm(ctx.req, rules, (form) => this.work(form, ctx));
  }

  async stop(): Promise<void> {
    this.released.resolve();
    await close(this.#server as Server);
  }

  get url(): string {
    return originOf(this.#server as Server);
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      (this.#server as Server).getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** Sends the headers of a request, but no body. */
  begin(head: Record<string, string | number>, path = '/'): RawClient {
    return new RawClient(this.url + path, head);
  }
}
