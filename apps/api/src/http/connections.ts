import fs from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';

/** Requests of one connection that may be under way. No client of HTTP/1.1 sends so many ahead unless it is told to. */
const AHEAD_MAX = 64;
const RETRY_AFTER_SECONDS = 1;
/** So long a caller may read nothing of an answer that is there for it. */
const UNREAD_MS = 30_000;

/** Descriptors for all else: the files of downloads above all, the database, the queue. */
const OTHER_FILES_MAX = 1_000;

/**
 * As many connections as there may be, or fewer where the limit of open files leaves less room: past that limit nothing
 * could be opened at all, and no connection would make room for another.
 *
 * @param openFilesMax null where it is not known
 */
export function connectionsWithin(max: number, openFilesMax: number | null): number {
  if (openFilesMax === null) return max;
  return Math.min(max, openFilesMax - Math.min(OTHER_FILES_MAX, Math.floor(openFilesMax / 2)));
}

/** The process's limit of open files; null where the system does not tell. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

interface Connection {
  /** Requests that have begun and are not answered. */
  requests: number;
  /** Run when the connection breaks: Node reports no end of requests that are queued behind another. */
  readonly held: Set<() => void>;
}

/**
 * Bounds the connections of the process. When one more comes than there may be, the one that has kept us waiting the
 * longest is closed: idle, or with a request that has not arrived whole, or else with an answer that is not read. So no
 * number of slow senders or readers locks others out, and no bound by address is needed, which behind a proxy would count
 * all callers as one.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Those from which something is to come. */
  private readonly waiting = new Set<Socket>();
  /** Those to which an answer is being sent, the ones that have read nothing for the longest time first. */
  private readonly answered = new Set<Socket>();

  constructor(private readonly max: number) {}

  watch(server: Server): void {
    server.on('connection', (socket) => this.accept(socket));
    // Nobody waits for us where nothing is read of what was sent. While we work on an answer there is nothing to read.
    server.setTimeout(UNREAD_MS, (socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
  }

  /** Calls `giveBack` should the connection break. @returns what ends that */
  hold(socket: Socket, giveBack: () => void): () => void {
    const connection = this.open.get(socket);
    if (!connection) return () => undefined;
    connection.held.add(giveBack);
    return () => connection.held.delete(giveBack);
  }

  /** @returns AppError `UNAVAILABLE` where too many requests were sent ahead */
  begin(socket: Socket): AppError | undefined {
    const connection = this.open.get(socket);
    if (!connection) return undefined;
    connection.requests += 1;
    if (connection.requests <= AHEAD_MAX) return undefined;
    return new AppError('UNAVAILABLE', `more than ${AHEAD_MAX} requests were sent ahead of their answers`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** The request has arrived whole: the next move is ours. */
  arrived(socket: Socket): void {
    this.waiting.delete(socket);
  }

  /** Whether the answer that is under way is not the only one of its connection. */
  hasSentAhead(socket: Socket): boolean {
    return (this.open.get(socket)?.requests ?? 0) > 1;
  }

  /** An answer is written, and the next move is the caller's: to read it. */
  answer(socket: Socket): void {
    if (this.open.has(socket)) this.answered.add(socket);
  }

  end(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    this.answered.delete(socket);
    if (connection.requests === 0) this.waiting.add(socket);
  }

  private accept(socket: Socket): void {
    if (this.open.size >= this.max) {
      const longest = this.longestWaiting();
      if (!longest) {
        socket.destroy();
        return;
      }
      this.close(longest);
      longest.destroy();
    }
    this.open.set(socket, { requests: 0, held: new Set() });
    this.waiting.add(socket);
    socket.on('drain', () => this.noteReading(socket));
    socket.once('close', () => this.close(socket));
  }

  /** One from which something is to come, or else one that leaves its answer unread. */
  private longestWaiting(): Socket | undefined {
    const [longest] = this.waiting;
    if (longest) return longest;
    for (const socket of this.answered) if (socket.writableLength > 0) return socket;
    return undefined;
  }

  private noteReading(socket: Socket): void {
    if (this.answered.delete(socket)) this.answered.add(socket);
  }

  private close(socket: Socket): void {
    const held = this.open.get(socket)?.held ?? [];
    this.open.delete(socket);
    this.waiting.delete(socket);
    this.answered.delete(socket);
    for (const giveBack of held) giveBack();
  }
}

/** Keeps the book of connections by the steps of each request but the first, which `begin` is told of. */
export function boundConnections(server: FastifyInstance, connections: Connections): void {
  connections.watch(server.server);
  server.addHook('preValidation', ({ raw }, _reply, done) => {
    connections.arrived(raw.socket);
    done();
  });
  server.addHook('onSend', ({ raw }, _reply, payload, done) => {
    connections.answer(raw.socket);
    done(null, payload);
  });
  server.addHook('onResponse', ({ raw }, _reply, done) => {
    connections.end(raw.socket);
    done();
  });
}
