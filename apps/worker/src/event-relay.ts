import { setTimeout as sleep } from 'node:timers/promises';
import { FanOutEvents } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';

/** The pause between two checks for events. */
const PAUSE_MS = 10;
/** After the last event, the relay keeps checking for this long without a signal. */
const LINGER_MS = 100;

/**
 * Relays events when it is signalled, and keeps checking while they keep coming. A signal for each event would cost
 * more than a check, and would arrive later.
 */
@Injectable()
export class EventRelay {
  private running = false;
  private signalled = false;
  private readonly stopping = new AbortController();

  constructor(private readonly fanOutEvents: FanOutEvents) {}

  /** Resolves when no event has come for a while. If it already runs, resolves at once. */
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
      // Runs in the same iteration of the event loop as the last check of `signalled`, so no signal is lost.
      this.running = false;
    }
  }
}
