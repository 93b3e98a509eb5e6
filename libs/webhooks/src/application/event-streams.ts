import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, Clock, ConcurrencyLimit, outsideRequests, UnavailableError } from '@counterfoil/kernel';
import { commonPosition, type DatedPosition, EventLog } from '@counterfoil/outbox';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { deliveryHeaders } from '../domain/signature';
import { EventStream, type StreamClient } from './event-stream';
import { StreamCursors } from './stream-cursors';
import { StreamSecrets } from './stream-secrets';

/** Streams of one process, and of one company in it. */
const STREAMS_MAX = 200;
const STREAMS_OF_COMPANY = 10;
/** Pause between two reads, and between two while a stream is behind. */
const PAUSE_MS = 200;
const PAUSE_BEHIND_MS = 20;
/** Streams that catch up in one turn, each with a read of its own. The others wait for the next turn. */
const CATCH_UP_MAX = 4;
const RETRY_AFTER_SECONDS = 1;

/**
 * Sends the events of companies to open streams (ADR 0043). One loop reads for all streams of the process. A stream
 * that is behind, since it resumes or its client reads slowly, catches up by itself and then joins the others.
 */
@Injectable()
export class EventStreams {
  private readonly streams = new Set<EventStream>();
  private readonly slots = new ConcurrencyLimit({
    total: STREAMS_MAX,
    perCompany: STREAMS_OF_COMPANY,
    what: 'event streams',
  });
  private isReading = false;
  private isStopped = false;

  constructor(
    private readonly eventLog: EventLog,
    private readonly cursors: StreamCursors,
    private readonly secrets: StreamSecrets,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @param cursor the place at which an earlier stream ended; without it, the stream starts with the next event
   * @returns a function to call when the client is gone
   * @throws AppError `INVALID_CURSOR`, or `UNAVAILABLE` if too many streams are open or the process stops
   */
  async open(caller: Caller, cursor: string | undefined, client: StreamClient): Promise<() => void> {
    this.assertRunning();
    const { companyId } = caller;
    const leave = this.slots.take(companyId);
    try {
      const start =
        cursor === undefined ? await this.eventLog.latest() : await this.cursors.read(companyId, cursor);
      this.assertRunning();
      return this.start(caller, client, start, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams, and refuses new ones: clients continue at another process. */
  stop(): void {
    this.isStopped = true;
    this.end([...this.streams]);
  }

  /** NestJS calls this before it waits for open HTTP requests. */
  beforeApplicationShutdown(): void {
    this.stop();
  }

  private start(caller: Caller, client: StreamClient, start: DatedPosition, leave: () => void): () => void {
    const secrets = this.secrets.of(caller.companyId);
    const cursorOf = (dated: DatedPosition) => this.cursors.issue(caller.companyId, dated);
    const stream = new EventStream(
      caller,
      client,
      { dated: start },
      { cursorOf, headersOf: (event) => deliveryHeaders(event, secrets, this.clock.now()) },
    );
    client.open({ secret: secrets[0], cursor: cursorOf(start) });
    this.streams.add(stream);
    void outsideRequests(() => this.readWhileOpen());
    return () => {
      this.streams.delete(stream);
      leave();
    };
  }

  private async readWhileOpen(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    while (this.streams.size > 0) {
      try {
        await this.readOnce();
        const isBehind = [...this.streams].some((stream) => stream.canCatchUp);
        await sleep(isBehind ? PAUSE_BEHIND_MS : PAUSE_MS);
      } catch (error) {
        this.log.warn({ error }, 'events could not be read; all event streams end, and clients resume them');
        this.end([...this.streams]);
      }
    }
    this.isReading = false;
  }

  private async readOnce(): Promise<void> {
    const ready: EventStream[] = [];
    for (const stream of this.streams) {
      if (stream.client.hasRoom()) ready.push(stream);
      else stream.isBehind = true;
    }
    const behind = ready.filter(({ isBehind }) => isBehind);
    for (const stream of behind.slice(0, CATCH_UP_MAX)) {
      await this.read([stream]);
      // The others go first in the next turn.
      if (this.streams.delete(stream)) this.streams.add(stream);
    }
    await this.read(ready.filter(({ isBehind }) => !isBehind));
    for (const stream of ready) stream.beatIfSilent();
  }

  private async read(streams: readonly EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    const position = commonPosition(streams.map((stream) => stream.position));
    const companyIds = [...new Set(streams.map(({ caller }) => caller.companyId))];
    const batch = await this.eventLog.read(position, companyIds);
    this.end(streams.filter(({ epoch }) => epoch !== batch.epoch));
    // Streams may have ended during the read.
    for (const stream of streams) if (this.streams.has(stream)) stream.take(batch);
  }

  private end(streams: readonly EventStream[]): void {
    for (const stream of streams) {
      this.streams.delete(stream);
      stream.client.end();
    }
  }

  private assertRunning(): void {
    if (!this.isStopped) return;
    throw new UnavailableError('stopping', 'the process is stopping; connect again', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
