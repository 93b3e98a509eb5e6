import type { Acting } from '@counterfoil/kernel';
import { inStatementSpan } from '@counterfoil/tracing';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { type LeadingStatement, runTogether } from './batched-query';
import { PooledClient } from './pooler';

const START_TRANSACTION = { name: 'transaction: begin', text: 'start transaction', values: [] };
const NAME_ACTOR = { name: 'transaction: actor', text: `select set_config('counterfoil.actor', $1, true)` };
const COMMIT = { text: 'commit' };

/** The names of the statements that each connection has prepared because they were deferred before. */
const prepared = new WeakMap<PoolClient, Set<string>>();

/** Returns the error that a caller knows for an error of a statement, or the same error. */
export type Translate = (error: unknown) => unknown;

interface Deferred extends LeadingStatement {
  readonly name: string;
  readonly translate?: Translate | undefined;
}

/**
 * The connection of a transaction. A statement whose result nobody needs is deferred: it is sent in one message with
 * the next statement, which saves a round trip. So a transaction begins with its first statement (ADR 0063).
 */
export class TransactionConnection {
  private deferred: Deferred[] = [];
  /** The answer to the message with the begin. Null before it is sent, and after it succeeded. */
  private beginning: Promise<unknown> | null = null;
  /** Whether the begin was sent, so that the server may have a transaction. */
  private hasBegun = false;
  private hasEnded = false;

  constructor(private readonly client: PoolClient) {}

  /** @param acting is written to the audit log by triggers (ADR 0046) */
  async begin(acting: Acting | null): Promise<void> {
    await this.keep(START_TRANSACTION);
    if (!acting) return;
    const { actor, role = '', requestId = '' } = acting;
    await this.keep({ ...NAME_ACTOR, values: [`${actor} ${role} ${requestId}`] });
  }

  /**
   * Runs a statement with the next one, or with the commit, which then throws its error. The first time, the
   * connection prepares it, and runs it at once.
   */
  async defer(statement: Deferred): Promise<void> {
    this.assertOpen();
    await this.keep(statement);
  }

  /** Runs a statement, after those that are deferred. If the first message fails, all later ones fail with its error. */
  query(statement: QueryConfig): Promise<QueryResult> {
    this.assertOpen();
    return this.send(statement);
  }

  /** Runs what is deferred, before a statement that does not come through `query`. */
  async flush(): Promise<void> {
    await this.untilBegun();
    const last = this.deferred.pop();
    if (!last) return;
    await this.send(last, last.translate);
    // That statement would run outside of the transaction if it has been rolled back meanwhile.
    this.assertOpen();
  }

  /** The statements of the next message, if `statement` is its last one. */
  nameWithDeferred(statement: string): string {
    const names = this.deferred.map(({ name }) => name);
    const telling = names.filter((name) => name !== START_TRANSACTION.name && name !== NAME_ACTOR.name);
    return [...telling, statement].join(' + ');
  }

  /** @throws Error also of a deferred statement, and if an earlier one failed and the work went on */
  async commit(): Promise<void> {
    this.assertOpen();
    if (this.beginning) await this.untilBegun();
    [this.hasBegun, this.hasEnded] = [true, true];
    const { command } = await this.sendNow(COMMIT);
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back, because a statement had failed');
  }

  async rollback(): Promise<void> {
    this.hasEnded = true;
    this.deferred = [];
    if (this.hasBegun) await this.client.query('rollback');
  }

  /** Runs the statement at once if the connection has not prepared it. */
  private async keep(statement: Deferred): Promise<void> {
    const { client, names } = this;
    const { name } = statement;
    if (client instanceof PooledClient || names.has(name)) {
      this.deferred.push(statement);
      return;
    }
    await inStatementSpan(name, () => this.send(statement, statement.translate));
    names.add(name);
  }

  /** A statement behind a begin that fails, or behind a rollback, would run outside of the transaction. */
  private async untilBegun(): Promise<void> {
    this.assertOpen();
    if (!this.beginning) return;
    await this.beginning;
    this.assertOpen();
  }

  private async send(statement: QueryConfig, translate?: Translate): Promise<QueryResult> {
    if (this.beginning) await this.untilBegun();
    const answer = this.sendNow(statement, translate);
    if (this.hasBegun) return answer;
    this.hasBegun = true;
    this.beginning = answer;
    const result = await answer;
    this.beginning = null;
    return result;
  }

  private async sendNow(statement: QueryConfig, translate?: Translate): Promise<QueryResult> {
    const { client, deferred } = this;
    this.deferred = [];
    try {
      if (deferred.length === 0) return await client.query(this.sendable(statement));
      const leading = deferred.map((each) => this.sendable(each));
      return await runTogether(client, leading, this.sendable(statement));
    } catch (error) {
      const translations = [...deferred.map((each) => each.translate), translate];
      throw translations.reduce((known, each) => (each ? each(known) : known), error);
    }
  }

  /** Without its name for a pooler, whose next session has not prepared it. */
  private sendable<Statement extends QueryConfig | LeadingStatement>(statement: Statement): Statement {
    return this.client instanceof PooledClient ? { ...statement, name: undefined } : statement;
  }

  private get names(): Set<string> {
    let names = prepared.get(this.client);
    if (!names) prepared.set(this.client, (names = new Set()));
    return names;
  }

  private assertOpen(): void {
    if (this.hasEnded) throw new Error('a statement after the end of its transaction');
  }
}
