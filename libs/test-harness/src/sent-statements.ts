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
    return spy.mock.calls.map(sentBy);
  } finally {
    spy.mockRestore();
  }
}

/** Returns the statements of the only transaction that `work` opens, including its begin and commit. */
export async function transactionOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const { calls, contexts } = spy.mock;
    const sent = calls.map(sentBy);
    const opened = sent.findIndex(({ text }) => OPENS.test(text));
    if (opened < 0) throw new Error('no transaction was opened');
    // Ignores statements that other parts of this process send at the same time.
    const own = sent.filter((_, index) => contexts[index] === contexts[opened] && index >= opened);
    return own.slice(0, own.findIndex(({ text }) => ENDS.test(text)) + 1);
  } finally {
    spy.mockRestore();
  }
}

function sentBy([first, second]: readonly unknown[]): SentStatement {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] };
  const { text, name, values = [] } = first as SentStatement;
  return { text, name, values };
}

/**
 * Sends statements with as little overhead as possible, as the baseline for code that sends the same
 * statements.
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
