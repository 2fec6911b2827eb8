import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { type MultipartForm, readMultipartForm } from '../../../rest-facade/streams/multipart-form.js';
import { close, listen, originOf } from './loopback.js';

/** What the one who blames a part says. */
export class BadForm extends Error {
  constructor(
    message: string,
    readonly part: string | undefined,
  ) {
    super(message);
  }
}

type Work = (form: MultipartForm, request: IncomingMessage) => Promise<unknown>;
type ReadWhole = (form: MultipartForm) => Promise<unknown>;

/** A server that reads forms with texts `data` and `more`, and says in JSON what came of it. */
export class FormServer {
  /** Requests whose handling has not ended. */
  pending = 0;
  /** What handling ended with, in order. */
  readonly outcomes: unknown[] = [];
  work: Work = readWholeForm;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      this.pending += 1;
      const outcome = await this.#handle(request);
      this.pending -= 1;
      this.outcomes.push(outcome);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(outcome));
    });
  }

  async #handle(request: IncomingMessage): Promise<unknown> {
    const rules = {
      texts: { data: 1_000, more: 100 },
      reject: (message: string, part?: string) => new BadForm(message, part),
    };
    try {
      return await readMultipartForm(request, rules, (form) => this.work(form, request));
    } catch (error) {
      const { message, part, code } = error as BadForm & { code?: string };
      return { error: message, part, code };
    }
  }

  async start(): Promise<void> {
    await listen(this.#server);
  }

  async stop(): Promise<void> {
    await close(this.#server);
  }

  get url(): string {
    return originOf(this.#server);
  }

  connect(): Socket {
    return connect((this.#server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  }

  /** A body as it is. */
  async send(body: string | Buffer, type = 'multipart/form-data; boundary=b', headers: object = {}): Promise<unknown> {
    const socket = this.connect();
    const bytes = Buffer.from(body);
    const lines = { host: 'a', connection: 'close', 'content-type': type, 'content-length': bytes.length, ...headers };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST / HTTP/1.1\r\n${head.join('')}\r\n`);
    socket.write(bytes);
    const reply = await text(socket);
    return JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')));
  }
}

export const readWholeForm: ReadWhole = async ({ texts, file }) => ({
  texts: Object.fromEntries(texts),
  ...(file && { file: { part: file.part, name: file.name, content: (await buffer(file.bytes)).toString('latin1') } }),
});

/** A part of a form with the boundary `b`; `file` makes it one with that file name. */
export function multipartPart(name: string, content: string, file?: string): string {
  const filename = file === undefined ? '' : `; filename="${file}"`;
  return `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${content}\r\n`;
}

export function multipartBody(...parts: string[]): string {
  return `${parts.join('')}--b--\r\n`;
}
