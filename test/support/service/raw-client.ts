import { connect, type Socket } from 'node:net';

/** Sends raw bytes after the headers of a POST. If the connection breaks, sets `isReset` instead of throwing. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  isReset = false;
  readonly closed: Promise<void>;

  constructor(url: string, head: Record<string, string | number>, localAddress?: string) {
    const { hostname, port, host, pathname } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) });
    this.socket.on('error', () => (this.isReset = true));
    this.socket.on('data', (chunk) => (this.received += chunk));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    const lines = Object.entries({ host, ...head }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  get status(): number | undefined {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1]) || undefined;
  }

  /** Sends the chunk repeatedly, with backpressure. Stops early if the connection ends. */
  async send(chunk: string | Buffer, times = 1): Promise<void> {
    for (let sent = 0; sent < times && !this.socket.destroyed; sent++)
      if (!this.socket.write(chunk))
        await Promise.race([new Promise((resolve) => this.socket.once('drain', resolve)), this.closed]);
  }
}
