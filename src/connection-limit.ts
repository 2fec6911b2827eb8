import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { OpenCounts } from './kernel/open-counts.js';

/** Rejects a connection while `most` others from its address are open. */
export function limitConnections(server: Server, most: number, reject: (socket: Socket) => void): void {
  const counts = new OpenCounts();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined) return; // closed already
    socket.once('close', () => counts.close(address));
    if (counts.open(address) > most) reject(socket);
  });
}
