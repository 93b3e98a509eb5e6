import pg, { type Connection, type PoolClient, type QueryConfig, type QueryResult } from 'pg';

export interface LeadingStatement {
  /** The name under which the connection has prepared it. Without a name, it is sent with its text. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Sends statements in one message, and returns the result of the last one. PostgreSQL skips the statements behind one
 * that fails. So none of them can run outside of the transaction that the first one begins. Separate messages in
 * flight (the driver's option `pipeline`) do not guarantee that.
 *
 * @param leading statements whose results nobody needs. They have names unless the last one has none: the driver
 *   notes the first statement that is prepared in a message as the one that it returns.
 * @throws Error of the statement that failed
 */
export async function runTogether(
  client: PoolClient,
  leading: readonly LeadingStatement[],
  last: QueryConfig,
): Promise<QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      const answered: Answered = (error, result) => (error ? reject(error) : resolve(result));
      client.query(new BatchedQuery(leading, last, answered));
    });
  } catch (error) {
    // The stack of the driver leads to the socket, this one to the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

type Answered = (error: Error | null | undefined, result: QueryResult) => void;

const UNNAMED = '';

/** The driver passes the answers to a whole message to one query. This one drops those to the leading statements. */
class BatchedQuery extends pg.Query {
  private readonly encoded: readonly LeadingStatement[];
  private unanswered: number;

  constructor(
    /** Tests read the statements that were sent. */
    readonly leading: readonly LeadingStatement[],
    last: QueryConfig,
    answered: Answered,
  ) {
    // PostgreSQL would not skip a statement of the simple protocol.
    const extended = { ...last, queryMode: 'extended' };
    super(extended, undefined, answered as ConstructorParameters<typeof pg.Query>[2]);
    // A value of a leading statement that cannot be encoded fails here, before anything is sent.
    this.encoded = leading.map((each) => ({ ...each, values: each.values.map(prepareValue) }));
    this.unanswered = leading.length;
  }

  /** The driver calls this to write the statement, after its checks. */
  prepare(connection: Connection): void {
    for (const statement of this.encoded) send(connection, statement);
    driver.prepare.call(this, connection);
  }

  handleDataRow(row: unknown): void {
    if (this.unanswered === 0) driver.handleDataRow.call(this, row);
  }

  handleCommandComplete(completed: unknown, connection: Connection): void {
    if (this.unanswered > 0) this.unanswered -= 1;
    else driver.handleCommandComplete.call(this, completed, connection);
  }
}

function send(connection: Connection, { name = UNNAMED, text, values }: LeadingStatement): void {
  if (name === UNNAMED) connection.parse({ name, text } as Parameters<Connection['parse']>[0], true);
  const bound = { portal: UNNAMED, statement: name, values };
  connection.bind(bound as Parameters<Connection['bind']>[0], true);
  connection.execute({ portal: UNNAMED }, true);
}

/** Methods of the driver that its types do not declare. */
interface Undeclared {
  prepare(this: pg.Query, connection: Connection): void;
  handleDataRow(this: pg.Query, row: unknown): void;
  handleCommandComplete(this: pg.Query, completed: unknown, connection: Connection): void;
}

const driver = pg.Query.prototype as unknown as Undeclared;
const { utils } = pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } };
/** Without the index that `map` passes. */
const prepareValue = (value: unknown): unknown => utils.prepareValue(value);
