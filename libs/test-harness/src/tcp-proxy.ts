import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A server reached through a wire that can be cut, slow or silent. */
export interface TcpProxy {
  /** The server's URL, as it is reached through the wire. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Passes nothing on, and breaks nothing: every connection, open or new, hangs as where packets are dropped. */
  silence(): void;
  /**
   * Passes everything on again, also that which was sent meanwhile.
   *
   * @param forgets connections that were open before hang for ever, as where a firewall has forgotten them
   */
  speak(forgets?: boolean): void;
  /** From now on everything takes so long, in each direction. */
  delay(ms: number): void;
  /** Leads new connections to another server, as a name that was moved; those that are open stay where they are. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

/** @param target the URL of a server, with its port */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let leadsTo = new URL(target);
  const wires = new Set<Wire>();
  let isSilent = false;
  let delayMs = 0;
  const server = createServer((near) => {
    const wire = new Wire(
      near,
      () => connect(Number(leadsTo.port), leadsTo.hostname),
      () => delayMs,
    );
    wires.add(wire);
    near.on('close', () => wires.delete(wire));
    if (!isSilent) wire.pass();
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const wire of wires) wire.cut();
    await closed;
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    cut,
    mend: () => listen(own),
    silence: () => {
      isSilent = true;
      for (const wire of wires) wire.hold();
    },
    speak: (forgets = false) => {
      isSilent = false;
      for (const wire of wires) if (!forgets || wire.isNew) wire.pass();
    },
    delay: (ms) => (delayMs = ms),
    leadTo: (other) => (leadsTo = new URL(other)),
    close: cut,
  };
}

/** Passes on what it is given after a while, in its order. */
function delayed(delayMs: () => number): Transform {
  let lastAt = 0;
  return new Transform({
    transform(chunk, _encoding, done) {
      const now = performance.now();
      lastAt = Math.max(lastAt, now + delayMs());
      if (lastAt <= now) return done(null, chunk);
      setTimeout(() => this.push(chunk), lastAt - now);
      done();
    },
  });
}

/** One connection through the proxy. */
class Wire {
  private far: Socket | null = null;

  private readonly there: Transform;
  private readonly back: Transform;

  constructor(
    private readonly near: Socket,
    private readonly reach: () => Socket,
    delayMs: () => number,
  ) {
    this.there = delayed(delayMs);
    this.back = delayed(delayMs);
    near.pause();
    near.on('error', () => this.cut());
    near.on('close', () => this.cut());
  }

  /** Whether it was opened during silence. */
  get isNew(): boolean {
    return this.far === null;
  }

  pass(): void {
    const { near } = this;
    const far = (this.far ??= this.open());
    near.pipe(this.there, { end: false }).pipe(far);
    far.pipe(this.back, { end: false }).pipe(near);
  }

  hold(): void {
    const { near, far } = this;
    if (!far) return;
    near.unpipe(this.there).pause();
    far.unpipe(this.back).pause();
  }

  cut(): void {
    this.near.destroy();
    this.far?.destroy();
  }

  private open(): Socket {
    const far = this.reach();
    far.on('error', () => this.cut());
    far.on('close', () => this.cut());
    return far;
  }
}
