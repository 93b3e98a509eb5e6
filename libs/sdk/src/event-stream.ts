import { CounterfoilError } from './errors.ts';
import { pause, reconnectDelayMs } from './retry.ts';

/** The beginning of a connection. */
export interface StreamStart {
  /** Signs the deliveries of every stream of the company: pass it to the verifier. */
  readonly secret: string;
  /** Where the connection begins. */
  readonly cursor: string;
}

/** An event as an endpoint would get it. */
export interface StreamedDelivery {
  /** Store it after the event is processed, and pass it to `stream` to go on from there. */
  readonly cursor: string;
  /** The headers of the delivery, with its signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body, as it is signed. */
  readonly body: string;
}

export interface StreamOptions {
  /** The last cursor that was stored. Without one, the stream begins with the next event. */
  readonly cursor?: string | null | undefined;
  /** Ends the stream, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each connection, before its first event. */
  readonly onOpen?: ((start: StreamStart) => void) | undefined;
  /** Called when a connection broke and another one follows after this time. */
  readonly onBreak?: ((error: CounterfoilError, delayMs: number) => void) | undefined;
}

/**
 * Receivers refuse signatures that are five minutes old. Events that wait longer for a slow reader are signed again, on
 * another connection.
 */
const WAITED_MAX_MS = 60_000;
/** The service sends something at least every 15 seconds. */
const SILENCE_MAX_MS = 45_000;

interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
}

/** Connects at a cursor. Rejects with a `CounterfoilError` if the service refuses. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * Yields the events of a company as they happen. It reconnects after the last event that the caller has taken the
 * next one of, so an event comes again only if the caller has not finished it.
 */
export async function* streamed(
  connect: Connect,
  options: StreamOptions,
): AsyncGenerator<StreamedDelivery, void, undefined> {
  const stream = new ResumedStream(connect, options);
  for (;;) {
    try {
      yield* stream.deliveries();
    } catch (error) {
      await stream.pauseAfter(error);
    }
  }
}

class ResumedStream {
  #last: string | undefined;
  /** Failures since the last connection. */
  #failures = 0;
  #wasOpen = false;

  constructor(
    private readonly connect: Connect,
    private readonly options: StreamOptions,
  ) {
    this.#last = options.cursor ?? undefined;
  }

  /** Yields the events of one connection. Always ends with an error. */
  async *deliveries(): AsyncGenerator<StreamedDelivery, void, undefined> {
    // Includes the difference between the two clocks.
    let leastAgeMs = Infinity;
    for await (const message of connection(this.connect, this.#last, this.options.signal)) {
      if (message.event === 'open') this.#noteOpen(message);
      if (message.event === 'delivery') {
        const delivery = deliveryOf(message);
        const ageMs = Date.now() - Number(delivery.headers['webhook-timestamp']) * 1_000;
        leastAgeMs = Math.min(leastAgeMs, ageMs);
        if (ageMs - leastAgeMs > WAITED_MAX_MS)
          throw new CounterfoilError('CONNECTION_FAILED', 'events waited too long for their reader');
        yield delivery;
      }
      this.#last = message.id ?? this.#last;
    }
    throw new CounterfoilError('CONNECTION_FAILED', 'the service ended the stream');
  }

  /** Waits before the next connection. Rejects if none makes sense. */
  async pauseAfter(error: unknown): Promise<void> {
    const { signal, onBreak } = this.options;
    signal?.throwIfAborted();
    // A wrong address must not be tried for ever.
    const delayMs = this.#wasOpen ? reconnectDelayMs(error, this.#failures) : undefined;
    if (delayMs === undefined) throw error;
    this.#failures += 1;
    onBreak?.(error as CounterfoilError, delayMs);
    await pause(delayMs, signal);
  }

  #noteOpen({ data = '{}' }: Message): void {
    this.#failures = 0;
    this.#wasOpen = true;
    this.options.onOpen?.(JSON.parse(data) as StreamStart);
  }
}

function deliveryOf({ id = '', data = '{}' }: Message): StreamedDelivery {
  return { cursor: id, ...(JSON.parse(data) as Omit<StreamedDelivery, 'cursor'>) };
}

/** Yields the messages of one connection, until it ends, breaks or is silent for too long. */
async function* connection(
  connect: Connect,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, undefined> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const abort = () => ended.abort();
  signal?.addEventListener('abort', abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stayAlive = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENCE_MAX_MS);
  };
  try {
    stayAlive();
    const response = await connect(lastEventId, ended.signal);
    for await (const text of piecesOf(response, stayAlive)) yield messageOf(text);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    abort();
  }
}

/** Yields the blocks between empty lines. */
async function* piecesOf(response: Response, noteBytes: () => void): AsyncGenerator<string, void, undefined> {
  if (!response.body) return;
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new CounterfoilError('CONNECTION_FAILED', 'the connection of the stream broke', { cause });
    });
    if (done) return;
    noteBytes();
    const pieces = (text + decoder.decode(value, { stream: true })).split('\n\n');
    text = pieces.pop() ?? '';
    yield* pieces;
  }
}

function messageOf(text: string): Message {
  const fields = new Map(text.split('\n').map(fieldOf));
  return { id: fields.get('id'), event: fields.get('event'), data: fields.get('data') };
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
