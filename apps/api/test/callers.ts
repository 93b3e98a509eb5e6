import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, type Sent } from './http-exchange';

/**
 * Maximum pauses of the callers between two calls. The last callers keep idle connections for a long time.
 */
const RESTS_MS = [0, 0, 5, 5, 20, 20, 50, 50, 100, 100, 200, 200, 500, 500, 1_000, 2_000];
/** Every fourth caller opens a connection for each call. */
const NEW_CONNECTION_EVERY = 4;

/** Callers that call through a balancer, each one call after the other, with pauses of different lengths. */
export class Callers {
  private isOver = false;
  private readonly callers: readonly Caller[];
  private readonly calling: readonly Promise<void>[];

  /** @param ask returns the n-th call of a caller, which must be answered with 2xx */
  constructor(url: string, ask: (nth: number) => Sent) {
    this.callers = RESTS_MS.map((_, at) => new Caller(url, (at + 1) % NEW_CONNECTION_EVERY !== 0));
    this.calling = this.callers.map((caller, at) =>
      caller.callUntil(() => this.isOver, ask, RESTS_MS[at] ?? 0),
    );
  }

  get calls(): number {
    return sumOfCalls(this.callers);
  }

  /** Calls on connections that are kept. */
  get keptCalls(): number {
    return sumOfCalls(this.callers.filter(({ keepAlive }) => keepAlive));
  }

  /** Calls that were answered with anything else than 2xx. */
  get refused(): readonly string[] {
    return this.callers.flatMap((caller) => caller.refused);
  }

  /** Calls that got no whole answer. */
  get broken(): readonly string[] {
    return this.callers.flatMap((caller) => caller.broken);
  }

  /** Resolves when all started calls have ended. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.calling);
  }
}

const sumOfCalls = (callers: readonly Caller[]): number => callers.reduce((sum, { calls }) => sum + calls, 0);

class Caller {
  calls = 0;
  readonly refused: string[] = [];
  readonly broken: string[] = [];
  private readonly agent: http.Agent;

  constructor(
    private readonly url: string,
    readonly keepAlive: boolean,
  ) {
    this.agent = new http.Agent({ keepAlive, maxSockets: 1 });
  }

  async callUntil(isOver: () => boolean, ask: (nth: number) => Sent, restMaxMs: number): Promise<void> {
    while (!isOver()) {
      this.calls += 1;
      await this.call(ask(this.calls));
      await sleep(Math.random() * restMaxMs);
    }
    this.agent.destroy();
  }

  private async call(sent: Sent): Promise<void> {
    const called = `${sent.method} ${sent.path}`;
    try {
      const { status, text } = await exchange(this.url, { ...sent, agent: this.agent });
      if (status < 200 || status >= 300) this.refused.push(`${called} answered ${status}: ${text}`);
    } catch (error) {
      this.broken.push(`${called}: ${(error as Error).message}`);
    }
  }
}
