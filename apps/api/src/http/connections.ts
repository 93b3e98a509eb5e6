import fs from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { PUBLIC } from './route.decorators';

/**
 * The maximum of requests under way on one connection. No HTTP/1.1 client sends this many ahead unless it is told to.
 */
const AHEAD_MAX = 64;
const RETRY_AFTER_SECONDS = 1;
/** The time for which a caller may leave an answer unread. */
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
  /** Where it is kept: among strangers, until a request of it came with a key, or a link, that opens something. */
  movers: Movers;
  /** Unanswered requests. */
  requests: number;
  /** Run when the connection breaks: Node reports no end of requests that are queued behind another. */
  readonly held: Set<() => void>;
}

/** Connections on which the next move is the caller's. */
class Movers {
  /** We wait for data: the connection that has been silent for longest is first. */
  readonly waiting = new Set<Socket>();
  /** An answer is being sent: the connection that has read nothing for longest is first. */
  readonly answered = new Set<Socket>();

  longest(): Socket | undefined {
    const [longest] = this.waiting;
    if (longest) return longest;
    for (const socket of this.answered) if (socket.writableLength > 0) return socket;
    return undefined;
  }
}

/**
 * Bounds the connections of the process. A further one replaces the one that has kept us waiting for longest: idle,
 * or with an incomplete request, or else with an unread answer. Connections of strangers are closed before those with
 * a valid key. So slow senders or readers, however many, lock nobody out, and no bound by address is needed, which
 * behind a proxy would count all callers as one.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly strangers = new Movers();
  private readonly known = new Movers();

  constructor(private readonly max: number) {}

  watch(server: Server): void {
    server.on('connection', (socket) => this.accept(socket));
    // A caller that reads nothing has abandoned its answer. While we work on an answer there is nothing to read.
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

  /** Marks the connection as one with a valid key. */
  recognise(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection || connection.movers === this.known) return;
    connection.movers = this.known;
    if (this.strangers.waiting.delete(socket)) this.known.waiting.add(socket);
    if (this.strangers.answered.delete(socket)) this.known.answered.add(socket);
  }

  /** The request has arrived whole: the next move is ours. */
  arrived(socket: Socket): void {
    this.open.get(socket)?.movers.waiting.delete(socket);
  }

  /**
   * Keeps a connection open while its request waits for us, although the request has not arrived whole.
   *
   * @returns what ends that: the connection keeps us waiting from then on
   */
  keep(socket: Socket): () => void {
    const waiting = this.open.get(socket)?.movers.waiting;
    if (!waiting?.delete(socket)) return () => undefined;
    return () => {
      if (this.open.has(socket)) waiting.add(socket);
    };
  }

  /** Whether the answer that is under way is not the only one of its connection. */
  hasSentAhead(socket: Socket): boolean {
    return (this.open.get(socket)?.requests ?? 0) > 1;
  }

  /** An answer is written, and the next move is the caller's: to read it. */
  answer(socket: Socket): void {
    this.open.get(socket)?.movers.answered.add(socket);
  }

  end(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    connection.movers.answered.delete(socket);
    if (connection.requests === 0) connection.movers.waiting.add(socket);
  }

  private accept(socket: Socket): void {
    if (this.open.size >= this.max) {
      const longest = this.strangers.longest() ?? this.known.longest();
      if (!longest) {
        socket.destroy();
        return;
      }
      this.close(longest);
      longest.destroy();
    }
    this.open.set(socket, { movers: this.strangers, requests: 0, held: new Set() });
    this.strangers.waiting.add(socket);
    socket.on('drain', () => this.noteReading(socket));
    socket.once('close', () => this.close(socket));
  }

  private noteReading(socket: Socket): void {
    const answered = this.open.get(socket)?.movers.answered;
    if (answered?.delete(socket)) answered.add(socket);
  }

  private close(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    this.open.delete(socket);
    connection.movers.waiting.delete(socket);
    connection.movers.answered.delete(socket);
    for (const giveBack of connection.held) giveBack();
  }
}

/** Tracks connections by the steps of each request except the first, which calls `begin`. */
export function boundConnections(server: FastifyInstance, connections: Connections): void {
  connections.watch(server.server);
  server.addHook('preParsing', ({ raw, routeOptions }, _reply, payload, done) => {
    if (routeOptions.config.access !== PUBLIC) connections.recognise(raw.socket);
    done(null, payload);
  });
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
