import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { type MultipartForm, readMultipartForm } from '../../../rest-facade/streams/multipart-form.js';
import { close, listen, originOf } from './loopback.js';

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

/** A server that reads forms with the text fields `data` and `more`. It returns the outcome as JSON. */
export class FormServer {
  pending = 0;
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
      texts: { data: { bytes: 1_000, text: '1,000 bytes' }, more: { bytes: 100, text: '100 bytes' } },
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

export const readWholeForm: ReadWhole = async ({ texts, file }) => {
  const { bytes, length: _, ...sent } = file ?? {};
  const content = bytes && (await buffer(bytes)).toString('latin1');
  return { texts: Object.fromEntries(texts), ...(bytes && { file: { ...sent, content } }) };
};

/** The boundary is `b`. With `file`, the part is a file with this name. */
export function multipartPart(name: string, content: string, file?: string): string {
  const filename = file === undefined ? '' : `; filename="${file}"`;
  return `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${content}\r\n`;
}

export function multipartBody(...parts: string[]): string {
  return `${parts.join('')}--b--\r\n`;
}
