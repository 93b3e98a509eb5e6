import { setTimeout as sleep } from 'node:timers/promises';
import { FanOutEvents } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';

/** Between two looks while events keep coming. */
const PAUSE_MS = 10;
/** After the last event, the next one is awaited for this time without a signal. */
const LINGER_MS = 100;

/**
 * Relays events when it is signalled, and lingers while they keep coming: a signal for each would cost more than
 * looking, and would come later.
 */
@Injectable()
export class EventRelay {
  private running = false;
  private signalled = false;
  private readonly stopping = new AbortController();

  constructor(private readonly fanOutEvents: FanOutEvents) {}

  /** Resolves when no event has come for a while; at once where it runs already. */
  async run(): Promise<void> {
    this.signalled = true;
    if (this.running) return;
    this.running = true;
    await this.linger();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async linger(): Promise<void> {
    try {
      let lastAt = performance.now();
      const { signal } = this.stopping;
      while (this.signalled || (!signal.aborted && performance.now() - lastAt < LINGER_MS)) {
        this.signalled = false;
        if ((await this.fanOutEvents.execute(signal)) > 0) lastAt = performance.now();
        await sleep(PAUSE_MS);
      }
    } finally {
      // In the same turn as the last check of the signal: a later signal starts it again.
      this.running = false;
    }
  }
}
