import pg from 'pg';

const OPENS = /^(begin|start transaction)/i;
const ENDS = /^(commit|rollback)/i;

/** A statement as it went to the driver. */
export interface SentStatement {
  readonly text: string;
  /** Of a prepared one. */
  readonly name?: string | undefined;
  readonly values: readonly unknown[];
}

/** The statements of the one transaction that `work` opens, with those that open it and end it. */
export async function transactionOf(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const { calls, contexts } = spy.mock;
    const sent = calls.map(sentBy);
    const opened = sent.findIndex(({ text }) => OPENS.test(text));
    if (opened < 0) throw new Error('no transaction was opened');
    // Others of this process may be sending something at the same time.
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

/** Sends statements as plainly and as fast as it can be done: what code that sends the same is measured against. */
export class PlainClient {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string, connections: number) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  }

  /** One after the other, on one connection. */
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
