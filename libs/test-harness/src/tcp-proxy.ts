import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy to a server that can cut, delay or silence the connections. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /**
   * Stops forwarding without breaking connections: open and new ones hang, as in a network that drops
   * packets.
   */
  silence(): void;
  /**
   * Forwards again, including the data sent meanwhile.
   *
   * @param forgets connections that were open before hang forever, as if a firewall had dropped them
   */
  speak(forgets?: boolean): void;
  /** Delays all data by this time, in each direction. */
  delay(ms: number): void;
  /** Connects new connections to another server, like a DNS name that was changed. Open connections stay. */
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

/** Forwards data after a delay, in order. */
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

  /** Whether it was opened during a silence. */
  get isNew(): boolean {
    return this.far === null;
  }

  pass(): void {
    const { near } = this;
    const far = (this.far ??= this.open());
    near.pipe(this.there, { end: false });
    far.pipe(this.back, { end: false });
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
    // Once for each connection: a second pipe between the same streams would send everything twice.
    this.there.pipe(far);
    this.back.pipe(this.near);
    return far;
  }
}
