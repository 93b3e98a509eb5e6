import http from 'node:http';
import { DEMO_KEY, until } from '@counterfoil/test-harness';

export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Delivered {
  readonly cursor: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client of `GET /webhooks/stream` that keeps everything that arrives. */
export class StreamReader {
  readonly messages: StreamMessage[] = [];
  /** The id of the last message, also of one without data. */
  lastId = '';
  status = 0;
  /** The body of a refusal. */
  text = '';
  isClosed = false;
  private readonly request: http.ClientRequest;
  private response: http.IncomingMessage | undefined;

  private constructor(url: string, lastEventId: string | undefined, key: string) {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    this.request = http.get(`${url}/webhooks/stream`, { headers, agent: false }, (response) => {
      this.response = response;
      this.status = response.statusCode ?? 0;
      response.setEncoding('utf8').on('data', (text: string) => this.take(text));
    });
    this.request.on('error', () => undefined).on('close', () => (this.isClosed = true));
  }

  /** Connects, and waits for the first message or a refusal. */
  static async connect(url: string, lastEventId?: string, key = DEMO_KEY): Promise<StreamReader> {
    const reader = new StreamReader(url, lastEventId, key);
    await until('an answer', () => reader.messages.length > 0 || reader.isClosed);
    return reader;
  }

  get start(): { readonly secret: string; readonly cursor: string } {
    return JSON.parse(this.messages[0]?.data ?? '{}') as { secret: string; cursor: string };
  }

  get deliveries(): Delivered[] {
    return this.messages
      .filter(({ event }) => event === 'delivery')
      .map(({ id, data }) => ({ cursor: id, ...(JSON.parse(data) as Omit<Delivered, 'cursor'>) }));
  }

  get eventIds(): string[] {
    return this.deliveries.map(({ headers }) => headers['webhook-id'] ?? '');
  }

  receives(count: number): Promise<unknown> {
    return until(`${count} events`, () => this.deliveries.length >= count);
  }

  close(): void {
    this.request.destroy();
  }

  private take(text: string): void {
    this.text += text;
    if (this.response?.statusCode !== 200) return;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) this.note(new Map(block.split('\n').map(fieldOf)));
  }

  private note(fields: ReadonlyMap<string, string>): void {
    this.lastId = fields.get('id') ?? this.lastId;
    const [event, data] = [fields.get('event'), fields.get('data')];
    if (event !== undefined && data !== undefined) this.messages.push({ id: this.lastId, event, data });
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
