import { AsyncResource } from 'node:async_hooks';
import fs from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AppError } from '@counterfoil/kernel';
import { UnavailableError } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { PUBLIC } from './route.decorators';

/** The maximum of unanswered requests on one connection. No HTTP/1.1 client pipelines this many by default. */
const AHEAD_MAX = 64;
/** The maximum of the bodies of requests that wait for those ahead of them on one connection, together. */
const BEHIND_BYTES_MAX = 64 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** The time for which a caller may leave an answer unread. */
const UNREAD_MS = 30_000;

/** File descriptors for everything else: mainly the files of downloads, the database and the queue. */
const OTHER_FILES_MAX = 1_000;

/**
 * Returns `max`, or less if the limit of open files leaves less room. A process at that limit cannot even accept a
 * connection in order to close another one for it.
 *
 * @param openFilesMax null if it is unknown
 */
export function connectionsWithin(max: number, openFilesMax: number | null): number {
  if (openFilesMax === null) return max;
  return Math.min(max, openFilesMax - Math.min(OTHER_FILES_MAX, Math.floor(openFilesMax / 2)));
}

/** The limit of open files of this process; null on systems without `/proc`. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

interface QueuedRequest {
  /** The announced size of its body, of which Node may hold a part until the request starts. */
  readonly bodyBytes: number;
  readonly start: () => void;
}

interface Connection {
  /** `strangers` until a request on it had a valid key or link, then `known`. */
  movers: Movers;
  /** Unanswered requests. */
  requests: number;
  /** Requests that others on the connection are ahead of, in their order. */
  readonly behind: QueuedRequest[];
  /** Called when the connection closes, because Node emits no event for requests queued behind another. */
  readonly held: Set<() => void>;
}

/** Connections on which the caller has the next move. */
class Movers {
  /** Idle, or sending a request. The connection that has been so for longest is first. */
  readonly waiting = new Set<Socket>();
  /** Receiving an answer. The connection that has read nothing for longest is first. */
  readonly answered = new Set<Socket>();

  longest(): Socket | undefined {
    const [longest] = this.waiting;
    if (longest) return longest;
    for (const socket of this.answered) if (socket.writableLength > 0) return socket;
    return undefined;
  }
}

/**
 * Bounds the connections of the process. At the bound, a new connection replaces the one whose caller has been inactive
 * for longest: first among those that are idle or have an incomplete request, then among those with an unread answer.
 * Connections without a valid key are closed before the others. So slow senders and readers, however many, lock nobody
 * out. A bound for each address is not needed, and behind a proxy it would count all callers as one.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly strangers = new Movers();
  private readonly known = new Movers();

  constructor(private readonly max: number) {}

  watch(server: Server): void {
    server.on('connection', (socket) => this.accept(socket));
    // A caller that reads nothing has abandoned its answer. Without pending bytes, the connection waits for us.
    server.setTimeout(UNREAD_MS, (socket) => {
      if (socket.writableLength > 0) socket.destroy();
    });
  }

  /** Calls `giveBack` if the connection closes. @returns a function that cancels this */
  hold(socket: Socket, giveBack: () => void): () => void {
    const connection = this.open.get(socket);
    if (!connection) return () => undefined;
    connection.held.add(giveBack);
    return () => connection.held.delete(giveBack);
  }

  /**
   * Counts a request.
   *
   * @param bodyBytes the announced size of its body; infinite if it is not announced
   * @returns AppError `UNAVAILABLE` if too many on the connection are unanswered
   */
  begin(socket: Socket, bodyBytes = 0): AppError | undefined {
    const connection = this.open.get(socket);
    if (!connection) return undefined;
    connection.requests += 1;
    if (connection.requests > AHEAD_MAX)
      return sentAhead(`a connection may have at most ${AHEAD_MAX} unanswered requests`);
    const behind = connection.behind.reduce((sum, queued) => sum + queued.bodyBytes, bodyBytes);
    if (connection.requests > 1 && bodyBytes > 0 && behind > BEHIND_BYTES_MAX)
      return sentAhead(
        `bodies that are sent ahead must have at most ${BEHIND_BYTES_MAX / 1024} KiB together, and a length`,
      );
    return undefined;
  }

  /**
   * Starts a counted request when those ahead of it on its connection are answered. Their answers leave in this order
   * anyway. Started together, the requests of many connections would make the iterations of the event loop long.
   */
  startInOrder(socket: Socket, start: () => void, bodyBytes = 0): void {
    const connection = this.open.get(socket);
    if (!connection || connection.requests <= 1) return start();
    // It belongs to its own request, and not to the one whose end starts it.
    const context = new AsyncResource('request');
    connection.behind.push({ bodyBytes, start: () => context.runInAsyncScope(start) });
  }

  /** Marks the connection as one with a valid key or link. */
  recognise(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection || connection.movers === this.known) return;
    connection.movers = this.known;
    if (this.strangers.waiting.delete(socket)) this.known.waiting.add(socket);
    if (this.strangers.answered.delete(socket)) this.known.answered.add(socket);
  }

  /** Marks the request as complete: now the connection waits for us. */
  arrived(socket: Socket): void {
    this.open.get(socket)?.movers.waiting.delete(socket);
  }

  /**
   * Protects a connection from being closed for another while we have not begun to read the rest of its request.
   *
   * @returns a function that ends this: from then on we wait for the caller
   */
  keep(socket: Socket): () => void {
    if (!this.open.get(socket)?.movers.waiting.delete(socket)) return () => undefined;
    // Another request of the connection may have been recognised meanwhile.
    return () => this.open.get(socket)?.movers.waiting.add(socket);
  }

  /** Whether the connection is pipelined: it has more than one unanswered request. */
  hasSentAhead(socket: Socket): boolean {
    return (this.open.get(socket)?.requests ?? 0) > 1;
  }

  /** Marks the answer as written: now the caller must read it. */
  answer(socket: Socket): void {
    this.open.get(socket)?.movers.answered.add(socket);
  }

  end(socket: Socket): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    connection.movers.answered.delete(socket);
    // The answer may have closed the connection: then what follows it would be done without an answer.
    const next = socket.writable ? connection.behind.shift() : undefined;
    if (next || connection.requests === 0) connection.movers.waiting.add(socket);
    next?.start();
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
    this.open.set(socket, { movers: this.strangers, requests: 0, behind: [], held: new Set() });
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

function sentAhead(problem: string): AppError {
  const message = `${problem}; read the answers first`;
  return new UnavailableError('busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Tracks the steps of each request, except the first: the adapter calls `begin` itself. */
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
