import type { StreamClient, StreamedDelivery } from '../application/event-stream';

/** The client of an event stream. It keeps everything that it gets, and may stop reading. */
export class RecordingClient implements StreamClient {
  readonly deliveries: StreamedDelivery[] = [];
  cursor = '';
  isEnded = false;
  /** Deliveries that it takes before it stops reading. */
  most = Infinity;

  hasRoom(): boolean {
    return this.deliveries.length < this.most;
  }

  open({ cursor }: { readonly cursor: string }): void {
    this.cursor = cursor;
  }

  deliver(delivery: StreamedDelivery): void {
    this.deliveries.push(delivery);
    this.cursor = delivery.cursor;
  }

  beat(cursor: string): void {
    this.cursor = cursor;
  }

  end(): void {
    this.isEnded = true;
  }

  /** The marks of the events, in the order of their arrival. */
  get marks(): string[] {
    return this.deliveries.map(({ body }) => (JSON.parse(body) as { data: { mark: string } }).data.mark);
  }
}
