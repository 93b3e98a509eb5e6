import type { Caller } from '@counterfoil/kernel';
import type { DatedPosition, EventBatch, LoggedEvent } from '@counterfoil/outbox';

/** An event as an endpoint would get it. */
export interface StreamedDelivery {
  /** The cursor after this event. */
  readonly cursor: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The connection of a client that reads an event stream. */
export interface StreamClient {
  /** Whether the client has read what was sent, up to a small buffer. */
  hasRoom(): boolean;
  /** The first message. */
  open(start: { readonly secret: string; readonly cursor: string }): void;
  deliver(delivery: StreamedDelivery): void;
  /** Shows that the stream is alive, and renews the cursor. */
  beat(cursor: string): void;
  end(): void;
}

const BEAT_MS = 15_000;

/** An open stream: its client, and which events it has got. */
export class EventStream {
  /** Whether events before those of the other streams are still to be sent. */
  isBehind = true;
  /** Whether the next event can only be sent when a gap before it is closed. */
  private waitsForGap = false;
  private sentAt = performance.now();

  constructor(
    readonly caller: Caller,
    readonly client: StreamClient,
    private readonly state: { dated: DatedPosition },
    private readonly codec: {
      readonly cursorOf: (dated: DatedPosition) => string;
      readonly headersOf: (
        event: LoggedEvent & { readonly body: string },
      ) => Readonly<Record<string, string>>;
    },
  ) {}

  get position() {
    return this.state.dated.position;
  }

  get epoch(): string {
    return this.state.dated.epoch;
  }

  /** Whether reading again at once brings this stream further. */
  get canCatchUp(): boolean {
    return this.isBehind && !this.waitsForGap && this.client.hasRoom();
  }

  /** Sends the events of a batch that the client has not got, as long as it reads them. */
  take(batch: EventBatch): void {
    const { position } = this;
    this.isBehind = true;
    this.waitsForGap = false;
    for (const event of batch.events) {
      if (position.hasSeen(event.sequence)) continue;
      if (!this.client.hasRoom()) return;
      this.waitsForGap = !position.hasRoomFor(event.sequence);
      if (this.waitsForGap) break;
      position.see(event.sequence, batch.endedBelow);
      this.send(event);
    }
    position.closeGaps(batch);
    this.isBehind = !batch.isComplete || this.waitsForGap;
    // Only now no event is missing that was committed before the batch was read.
    if (!this.isBehind) this.state.dated = { ...this.state.dated, readAt: batch.readAt };
  }

  /** Sends a heartbeat if nothing was sent for a while. */
  beatIfSilent(): void {
    if (performance.now() - this.sentAt < BEAT_MS || !this.client.hasRoom()) return;
    this.client.beat(this.codec.cursorOf(this.state.dated));
    this.sentAt = performance.now();
  }

  private send({ body, ...event }: LoggedEvent): void {
    if (body === null || event.companyId !== this.caller.companyId) return;
    const cursor = this.codec.cursorOf(this.state.dated);
    this.client.deliver({ cursor, headers: this.codec.headersOf({ ...event, body }), body });
    this.sentAt = performance.now();
  }
}
