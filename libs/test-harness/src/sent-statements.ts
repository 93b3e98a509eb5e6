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

/** Returns all statements that this process sends during `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return spy.mock.calls.flatMap(sentBy).filter((sent) => !readsTime(sent));
  } finally {
    spy.mockRestore();
  }
}

/** Returns the number of round trips to the database that this process makes during `work`. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return spy.mock.calls.filter((call) => !sentBy(call).some(readsTime)).length;
  } finally {
    spy.mockRestore();
  }
}

/** Whether the clock of the process sent the statement, which it does every few seconds. */
const readsTime = ({ text }: SentStatement): boolean =>
  /^select extract\(epoch from clock_timestamp/.test(text);

/** Returns the statements of the only transaction that `work` opens, including its begin and commit. */
export async function transactionOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const { calls, contexts } = spy.mock;
    const sent = calls.flatMap((call, index) =>
      sentBy(call).map((statement) => ({ statement, client: contexts[index] })),
    );
    const opened = sent.findIndex(({ statement }) => OPENS.test(statement.text));
    if (opened < 0) throw new Error('no transaction was opened');
    // Ignores statements that other parts of this process send at the same time.
    const own = sent.slice(opened).filter(({ client }) => client === sent[opened]?.client);
    const statements = own.map(({ statement }) => statement);
    return statements.slice(0, statements.findIndex(({ text }) => ENDS.test(text)) + 1);
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
