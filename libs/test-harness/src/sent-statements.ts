import pg from 'pg';

const OPENS = /^(begin|start transaction)/i;
const ENDS = /^(commit|rollback)/i;

/** A statement as it was passed to the driver. */
export interface SentStatement {
  readonly text: string;
  /** Only for prepared statements. */
  readonly name?: string | undefined;
  readonly values: readonly unknown[];
}

/** A call of the driver: statements that are sent in one message, on one connection. */
interface SentMessage {
  readonly client: unknown;
  readonly statements: readonly SentStatement[];
}

/** Returns all statements that this process sends during `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const messages = await messagesOf(work);
  return messages.flatMap(({ statements }) => statements).filter((sent) => !readsTime(sent));
}

/** Returns the number of round trips to the database that this process makes during `work`. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const messages = await messagesOf(work);
  return messages.filter(({ statements }) => !statements.some(readsTime)).length;
}

/** Whether the clock of the process sent the statement, which it does every few seconds. */
const readsTime = ({ text }: SentStatement): boolean =>
  /^select extract\(epoch from clock_timestamp/.test(text);

/** Returns the statements of the only transaction that `work` opens, including its begin and commit. */
export async function transactionOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const messages = await messagesOf(work);
  const opening = messages.find(({ statements }) => statements.some(({ text }) => OPENS.test(text)));
  if (!opening) throw new Error('no transaction was opened');
  // Ignores statements that other parts of this process send at the same time.
  const own = messages.filter(({ client }) => client === opening.client);
  const sent = own.flatMap(({ statements }) => statements);
  const opened = sent.findIndex(({ text }) => OPENS.test(text));
  const ended = sent.findIndex(({ text }, index) => index > opened && ENDS.test(text));
  return sent.slice(opened, ended + 1);
}

async function messagesOf(work: () => Promise<unknown>): Promise<SentMessage[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const { calls, contexts } = spy.mock;
    return calls.map((call, index) => ({ client: contexts[index], statements: sentBy(call) }));
  } finally {
    spy.mockRestore();
  }
}

/** Returns the statements of one call of the driver: one, or those that are sent in one message. */
function sentBy([first, second]: readonly unknown[]): SentStatement[] {
  if (typeof first === 'string') return [{ text: first, values: Array.isArray(second) ? second : [] }];
  const { leading = [], ...last } = first as SentStatement & { readonly leading?: readonly SentStatement[] };
  return [...leading, last].map(({ text, name, values = [] }) => ({ text, name, values }));
}

/**
 * Sends statements with as little overhead as possible, each in a message of its own, as the baseline for code that
 * sends the same statements.
 */
export class PlainClient {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string, connections: number) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  }

  /** Sends them one after the other, on one connection. */
  async send(statements: readonly SentStatement[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      for (const { text, name, values } of statements) {
        await client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      }
    } finally {
      client.release();
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
