import { FaultPoints } from '@counterfoil/config';
import { defer, isUniqueViolation, Sql, within } from '@counterfoil/database';
import { AppError, type IdempotencyKey, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  BEGIN,
  CLAIM,
  COMPLETE,
  FIND,
  FIND_RUNNING,
  locksOf,
  STORE,
  type StoredResponse,
} from './idempotency.sql';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    IDEMPOTENCY_KEY_REUSED: true;
    REQUEST_IN_PROGRESS: true;
  }
}

const RETRY_AFTER_SECONDS = 1;

/** A call with an `Idempotency-Key`, and the function that renders its stored response. */
export interface IdempotentCall<Result> {
  readonly key: IdempotencyKey;
  /**
   * Returns the response body as it is stored and sent. It must not contain secrets, and must be
   * deterministic, because the transaction that calls it may run again.
   */
  readonly responseTo: (result: Result) => string;
}

/** Another call with the same key is running or has completed. */
export class IdempotencyKeyTaken extends Error {
  constructor() {
    super('the idempotency key is taken');
  }
}

/** Returns `IdempotencyKeyTaken` for an error that says that the key is stored already, or else the same error. */
export function asKeyTaken(error: unknown): unknown {
  return isUniqueViolation(error, 'idempotency_keys_pkey') ? new IdempotencyKeyTaken() : error;
}

/**
 * Makes calls with an `Idempotency-Key` safe to repeat (contract §9). The transaction of a running call holds a pair of
 * advisory locks, which end with the transaction or its process.
 */
@Injectable()
export class Idempotency {
  constructor(
    private readonly transactions: Transactions,
    private readonly sql: Sql,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * Like `Transactions.run`, with the work wrapped by `wrap`.
   *
   * @throws IdempotencyKeyTaken
   */
  run<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(this.wrap(companyId, call, work));
  }

  /**
   * Wraps the work of a transaction: claims the key before it and stores the response after it, in the same
   * transaction. A rollback or a crash releases the key.
   *
   * @param call null for a call without a key; then the work is returned unchanged
   * @returns work that throws `IdempotencyKeyTaken` if another call with the key is running or has completed
   */
  wrap<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    work: (tx: Transaction) => Promise<Result>,
  ): (tx: Transaction) => Promise<Result> {
    if (!call) return work;
    return this.wrapWithClaim(companyId, call, work, (tx, result) =>
      defer(tx, STORE, { companyId, ...responseOf(call, result) }, asKeyTaken),
    );
  }

  /**
   * Like `run`, for a call that continues after the commit and stores its response with `complete`.
   *
   * @param resourceOf returns the id by which `resume` finds the written resource
   * @throws IdempotencyKeyTaken
   */
  begin<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    resourceOf: (result: Result) => number,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (!call) return this.transactions.run(work);
    const begun = this.wrapWithClaim(companyId, call, work, (tx, result) =>
      defer(tx, BEGIN, { companyId, key: call.key, resourceId: resourceOf(result) }, asKeyTaken),
    );
    return this.transactions.run(begun);
  }

  /**
   * Stores the response of a call that `begin` started.
   *
   * @throws IdempotencyKeyTaken if a repetition resumed the call and stored another response
   */
  async complete<Result>(companyId: number, call: IdempotentCall<Result>, result: Result): Promise<void> {
    const own = responseOf(call, result);
    // Without a row, the key has expired.
    const stored = await this.sql.first(COMPLETE, { companyId, ...own });
    if (stored && stored.response !== own.response) throw new IdempotencyKeyTaken();
  }

  /**
   * Call this before work outside the transaction that a repetition must not do again.
   *
   * @throws IdempotencyKeyTaken if a response is stored
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`
   */
  async assertNew<Result>(companyId: number, call: IdempotentCall<Result> | null): Promise<void> {
    if (call && (await this.find(companyId, call.key)) !== null) throw new IdempotencyKeyTaken();
  }

  /** Whether any call has used the key. */
  async isUsed(companyId: number, key: string): Promise<boolean> {
    return (await this.sql.first(FIND, { companyId, key })) !== null;
  }

  /**
   * Looks for an earlier call with the key, before a new one begins. If the earlier call began but has no
   * response because its process ended, `resume` stores its response.
   *
   * @param findOutcome returns the outcome of the call that wrote this resource; null while it is under way
   * @throws IdempotencyKeyTaken if a response is stored
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  async resume<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    findOutcome: (resourceId: number) => Promise<Result | null>,
  ): Promise<void> {
    const stored = call && (await this.findStored(companyId, call.key));
    if (!stored) return;
    if (stored.response === null)
      await this.completeAs(companyId, call, await findOutcome(resourceIn(stored)));
    throw new IdempotencyKeyTaken();
  }

  /**
   * Finds the first response, byte for byte. Null if none is stored under the key.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` if the key belongs to another call
   */
  async find(companyId: number, key: IdempotencyKey): Promise<string | null> {
    return (await this.findStored(companyId, key))?.response ?? null;
  }

  /** Whether a call holds the lock of the key: it is running, or about to find the key taken. */
  async isHeld(companyId: number, key: IdempotencyKey): Promise<boolean> {
    return (await this.findRunning(companyId, key)) !== null;
  }

  /**
   * Returns the stored response to a call that failed with `IdempotencyKeyTaken`.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` if another call took the key, `REQUEST_IN_PROGRESS` if the same
   *   call is still running
   */
  async resolveTaken(companyId: number, key: IdempotencyKey): Promise<string> {
    const response = await this.resolveRefused(companyId, key);
    if (response === null) throw inProgress();
    return response;
  }

  /**
   * Returns the stored response to a call that was refused, because key conflicts win over validation errors
   * (contract §9.1). Null if no other call has the key.
   *
   * @throws AppError like `resolveTaken`
   */
  async resolveRefused(companyId: number, key: IdempotencyKey): Promise<string | null> {
    // Check running calls first: a call that completes in between is then found by its response.
    const running = await this.findRunning(companyId, key);
    const stored = await this.findStored(companyId, key);
    if (stored && stored.response !== null) return stored.response;
    if (!stored && running === 'other') throw reused();
    if (stored || running) throw inProgress();
    return null;
  }

  /** @param keep stores the key in the transaction of the work */
  private wrapWithClaim<Result>(
    companyId: number,
    { key }: IdempotentCall<Result>,
    work: (tx: Transaction) => Promise<Result>,
    keep: (tx: Transaction, result: Result) => Promise<void>,
  ): (tx: Transaction) => Promise<Result> {
    return async (tx) => {
      const { taken } = await within(tx).only(CLAIM, { companyId, key, locks: locksOf(companyId, key) });
      if (taken) throw new IdempotencyKeyTaken();
      this.faults.reach('idempotency.claimed');
      const result = await work(tx);
      this.faults.reach('idempotency.worked');
      await keep(tx, result);
      this.faults.reach('idempotency.stored');
      this.transactions.afterCommit(tx, () => this.faults.reach('idempotency.committed'));
      return result;
    };
  }

  private async completeAs<Result>(
    companyId: number,
    call: IdempotentCall<Result>,
    outcome: Result | null,
  ): Promise<void> {
    if (outcome === null) throw inProgress();
    await this.complete(companyId, call, outcome);
  }

  /** The call whose transaction holds the key: `same` for the same operation and body. Null if none does. */
  private async findRunning(companyId: number, key: IdempotencyKey): Promise<'same' | 'other' | null> {
    const row = await this.sql.first(FIND_RUNNING, locksOf(companyId, key));
    return row && (row.other ? 'other' : 'same');
  }

  private async findStored(
    companyId: number,
    { key, fingerprint }: IdempotencyKey,
  ): Promise<StoredResponse | null> {
    const stored = await this.sql.first(FIND, { companyId, key });
    if (stored && !stored.fingerprint.equals(fingerprint)) throw reused();
    return stored;
  }
}

function resourceIn({ resourceId }: StoredResponse): number {
  if (resourceId === null) throw new Error('the key has neither a response nor a resource');
  return resourceId;
}

function responseOf<Result>({ key, responseTo }: IdempotentCall<Result>, result: Result) {
  return { key, response: responseTo(result) };
}

function reused(): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'this Idempotency-Key was already used for another call or body: send a new key',
  );
}

function inProgress(): AppError {
  return new AppError(
    'REQUEST_IN_PROGRESS',
    'a call with this Idempotency-Key is still running: retry later',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
