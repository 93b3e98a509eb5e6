import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertNoTransaction,
  currentActing,
  insideTransaction,
  type Transaction,
  Transactions,
} from '@counterfoil/kernel';
import { inSpan, inStatementSpan, type NewSpan } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { isRetryable } from './database-errors';
import { summaryOf } from './statement-summary';
import { TransactionConnection } from './transaction-connection';

const ATTEMPTS_MAX = 5;
/** The statements by which TypeORM begins and ends a transaction. */
const [BEGIN, COMMIT, ROLLBACK] = ['START TRANSACTION', 'COMMIT', 'ROLLBACK'];
/** Multiplied by the attempt and randomized, so that two deadlocked transactions do not collide again. */
const BACKOFF_STEP_MS = 20;

class OpenTransaction {
  readonly actionsAfterCommit: (() => void)[] = [];

  constructor(
    readonly manager: EntityManager,
    readonly connection: TransactionConnection,
  ) {}
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
      this.inTransaction((open) => {
        actions = open.actionsAfterCommit;
        return work(open as unknown as Transaction);
      }),
    );
    for (const action of actions) action();
    return result;
  }

  private async inTransaction<T>(work: (open: OpenTransaction) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const connection = new TransactionConnection((await runner.connect()) as PoolClient);
      sendThrough(connection, runner);
      const open = (manager: EntityManager) => work(new OpenTransaction(manager, connection));
      return await runner.manager.transaction(open);
    } finally {
      await runner.release();
    }
  }
}

/**
 * Lets TypeORM begin and end the transaction by `connection`, so that these statements are sent together with others.
 * The statements of TypeORM run in spans here, those of `within` in their own.
 */
function sendThrough(connection: TransactionConnection, runner: QueryRunner): void {
  const query = runner.query.bind(runner) as (sql: string, ...more: unknown[]) => Promise<unknown>;
  const sent = async (sql: string, ...more: unknown[]): Promise<unknown> => {
    if (sql === BEGIN) return connection.begin(currentActing() ?? null);
    if (sql === COMMIT) {
      return inStatementSpan(
        () => connection.nameWithDeferred('commit'),
        () => connection.commit(),
      );
    }
    if (sql === ROLLBACK) return inStatementSpan('rollback', () => connection.rollback());
    return inStatementSpan(
      () => connection.nameWithDeferred(summaryOf(sql)),
      async () => {
        await connection.flush();
        return query(sql, ...more);
      },
    );
  };
  runner.query = sent as QueryRunner['query'];
}

const FIRST: NewSpan = { name: 'transaction' };

function spanOf(attempt: number): NewSpan {
  return attempt === 1 ? FIRST : { ...FIRST, attributes: { 'counterfoil.attempt': attempt } };
}

/**
 * Returns the connection of `tx`. It refuses statements after the end of the transaction. For this lib only.
 */
export function connectionOf(tx: Transaction): TransactionConnection {
  return opened(tx).connection;
}

/** Returns the entity manager of `tx`. For adapters only. */
export function managerOf(tx: Transaction): EntityManager {
  return opened(tx).manager;
}

function opened(tx: Transaction): OpenTransaction {
  if (tx instanceof OpenTransaction) return tx;
  throw new Error('not a transaction of this database');
}
