import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { KeyedCounter } from './keyed-counter.js';

/** `most` is the maximum number of open connections of one address. */
export function limitConnections(server: Server, most: number, reject: (socket: Socket) => void): void {
  const counts = new KeyedCounter();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined) return; // The connection is already closed.
    socket.once('close', () => counts.decrement(address));
    if (counts.increment(address) > most) reject(socket);
  });
}
