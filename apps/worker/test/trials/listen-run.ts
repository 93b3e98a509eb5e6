import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  DEMO_KEY,
  queueStores,
  startService,
  startTcpProxy,
  type TcpProxy,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';

const PROGRAM = path.resolve(__dirname, '../../../../dist/apps/cli/src/main.js');
const START_MAX_MS = 60_000;
/** From the last event to its arrival, with the reconnections before it. */
const ARRIVAL_MAX_MS = 120_000;

export interface ListenReport {
  readonly sent: number;
  readonly cuts: number;
  readonly lost: readonly string[];
  /** Events whose signature is wrong, or whose body is not the stored one. */
  readonly altered: readonly string[];
  readonly unknown: readonly string[];
  readonly repeated: number;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Forwards events with `counterfoil listen`, and cuts its connection while they happen. */
export async function runListen(events: number, cuts: number): Promise<ListenReport> {
  const service = await startService(queueStores()[0]!);
  const proxy = await startTcpProxy(service.url);
  const receiver = await PlainReceiver.start();
  const listener = new Listener(proxy.url, receiver.url);
  try {
    const secret = await listener.secret();
    const sent = await sendWhileCutting(service, { events, cuts, proxy, listener });
    await until('all events', () => sent.every((id) => receiver.has(id)), ARRIVAL_MAX_MS);
    return await reportOf(service, { sent, cuts: listener.reconnections, secret, receiver });
  } catch (error) {
    throw new Error(`${(error as Error).message}; the listener printed:\n${listener.stderr}`, {
      cause: error,
    });
  } finally {
    await listener.stop();
    await receiver.close();
    await proxy.close();
    await service.stop();
  }
}

interface Plan {
  readonly events: number;
  readonly cuts: number;
  readonly proxy: TcpProxy;
  readonly listener: Listener;
}

/** @returns the ids of the events */
async function sendWhileCutting(
  service: TestService,
  { events, cuts, proxy, listener }: Plan,
): Promise<string[]> {
  const sent: string[] = [];
  const send = async (): Promise<void> => {
    const trigger = { type: 'document.created', target: 'stream' };
    while (sent.length < events) {
      const { body } = await service.request<{ eventId: string }>('POST', '/webhooks/trigger', trigger);
      sent.push(body.eventId);
    }
  };
  const cut = async (): Promise<void> => {
    for (let done = 0; done < cuts; done++) {
      const share = Math.floor((events * (done + 1)) / (cuts + 1));
      await until(`${share} events`, () => sent.length >= share, ARRIVAL_MAX_MS);
      await proxy.cut();
      await proxy.mend();
      await until('the reconnection', () => listener.reconnections > done, ARRIVAL_MAX_MS);
    }
  };
  await Promise.all([send(), send(), cut()]);
  return sent;
}

interface Outcome {
  readonly sent: readonly string[];
  readonly cuts: number;
  readonly secret: string;
  readonly receiver: PlainReceiver;
}

async function reportOf(
  service: TestService,
  { sent, cuts, secret, receiver }: Outcome,
): Promise<ListenReport> {
  const rows = await service.database.query<{ id: string; body: string }>(
    'select id, body from outbox_events',
  );
  const stored = new Map(rows.map(({ id, body }) => [id, body]));
  const isGenuine = ({ headers, body }: Received): boolean => {
    try {
      return verifyWebhook({ headers, body, secret }).id === headers['webhook-id'];
    } catch {
      return false;
    }
  };
  const altered = receiver.received.filter((one) => !isGenuine(one) || stored.get(idOf(one)) !== one.body);
  return {
    sent: sent.length,
    cuts,
    lost: sent.filter((id) => !receiver.has(id)),
    altered: altered.map(idOf),
    unknown: receiver.received.map(idOf).filter((id) => !sent.includes(id)),
    repeated: receiver.received.length - new Set(receiver.received.map(idOf)).size,
  };
}

const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

/** A receiver on plain http, which acknowledges everything. */
class PlainReceiver {
  readonly received: Received[] = [];
  private readonly ids = new Set<string>();
  private readonly server = http.createServer((request, response) => {
    void text(request).then((body) => {
      const received = { headers: request.headers, body };
      this.received.push(received);
      this.ids.add(idOf(received));
      response.writeHead(204).end();
    });
  });

  static async start(): Promise<PlainReceiver> {
    const receiver = new PlainReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

/** A process of `counterfoil listen`. */
class Listener {
  stderr = '';
  private stdout = '';
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-cli-'));
  private readonly child: ChildProcess;

  constructor(url: string, receiverUrl: string) {
    const args = [PROGRAM, 'listen', '--forward-to', receiverUrl, '--json'];
    const env = {
      ...process.env,
      COUNTERFOIL_URL: url,
      COUNTERFOIL_KEY: DEMO_KEY,
      XDG_CONFIG_HOME: this.folder,
    };
    this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (printed: string) => (this.stdout += printed));
    this.child.stderr?.setEncoding('utf8').on('data', (printed: string) => (this.stderr += printed));
  }

  async secret(): Promise<string> {
    await until('the secret', () => this.stdout.includes('\n'), START_MAX_MS);
    return (JSON.parse(this.stdout.split('\n')[0]!) as { secret: string }).secret;
  }

  get reconnections(): number {
    return this.stderr.split('connected again').length - 1;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
