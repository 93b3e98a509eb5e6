import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertNoTransaction,
  currentActing,
  insideTransaction,
  type Transaction,
  Transactions,
} from '@counterfoil/kernel';
import { inSpan, inStatementSpan, isTracing, type NewSpan } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import pg, { type PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { isRetryable } from './database-errors';
import { summaryOf } from './statement-summary';

const ATTEMPTS_MAX = 5;
/** TypeORM begins a transaction with this statement. */
const BEGIN = 'START TRANSACTION';
/** Multiplied by the attempt and randomized, so that two deadlocked transactions do not collide again. */
const BACKOFF_STEP_MS = 20;

class OpenTransaction {
  readonly actionsAfterCommit: (() => void)[] = [];

  constructor(readonly manager: EntityManager) {}
}

@Injectable()
export class TypeOrmTransactions extends Transactions {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    assertNoTransaction('opening a transaction');
    for (let attempt = 1; ; attempt++) {
      try {
        return await inSpan(spanOf(attempt), () => this.attempt(work));
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error;
        await sleep(Math.random() * BACKOFF_STEP_MS * attempt);
      }
    }
  }

  override afterCommit(tx: Transaction, action: () => void): void {
    opened(tx).actionsAfterCommit.push(action);
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let actions: readonly (() => void)[] = [];
    const result = await insideTransaction(() =>
      this.inTransaction((manager) => {
        const open = new OpenTransaction(manager);
        actions = open.actionsAfterCommit;
        return work(open as unknown as Transaction);
      }),
    );
    for (const action of actions) action();
    return result;
  }

  private async inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    nameActor(runner);
    traceQueries(runner);
    try {
      return await runner.manager.transaction(work);
    } finally {
      await runner.release();
    }
  }
}

/**
 * Sends the name of the actor together with the statement that begins a transaction, because a statement of its own
 * would cost a round trip. Triggers write it to the audit log (ADR 0046).
 */
function nameActor(runner: QueryRunner): void {
  const acting = currentActing();
  if (!acting) return;
  const { actor, role = '', requestId = '' } = acting;
  const setting = pg.escapeLiteral(`${actor} ${role} ${requestId}`);
  const query = runner.query.bind(runner) as (sql: string, ...more: unknown[]) => Promise<unknown>;
  const named = (sql: string, ...more: unknown[]) =>
    query(sql === BEGIN ? `${BEGIN}; set local counterfoil.actor = ${setting}` : sql, ...more);
  runner.query = named as QueryRunner['query'];
}

const FIRST: NewSpan = { name: 'transaction' };

function spanOf(attempt: number): NewSpan {
  return attempt === 1 ? FIRST : { ...FIRST, attributes: { 'counterfoil.attempt': attempt } };
}

/**
 * Runs the statements of TypeORM in spans. Those of `within` have their own. The time before the
 * first of them is that of getting a connection and of beginning.
 */
function traceQueries(runner: QueryRunner): void {
  if (!isTracing()) return;
  const query = runner.query.bind(runner) as (sql: string, ...more: unknown[]) => Promise<unknown>;
  const traced = (sql: string, ...more: unknown[]) => {
    const run = () => query(sql, ...more);
    return sql === BEGIN ? run() : inStatementSpan(() => summaryOf(sql), run);
  };
  runner.query = traced as QueryRunner['query'];
}

/**
 * Returns the connection of `tx`. For this lib only.
 *
 * @throws QueryRunnerAlreadyReleasedError if `tx` has ended, because another transaction may use the
 *   connection by then
 */
export async function connectionOf(tx: Transaction): Promise<PoolClient> {
  const { queryRunner } = managerOf(tx);
  if (!queryRunner) throw new Error('not in a transaction');
  if (queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return (await queryRunner.connect()) as PoolClient;
}

/** Returns the entity manager of `tx`. For adapters only. */
export function managerOf(tx: Transaction): EntityManager {
  return opened(tx).manager;
}

function opened(tx: Transaction): OpenTransaction {
  if (tx instanceof OpenTransaction) return tx;
  throw new Error('not a transaction of this database');
}
