import {
  AppError,
  FaultPoints,
  type IdempotencyKey,
  type Transaction,
  Transactions,
} from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type IdempotentCall, IdempotencyKeyTaken } from './idempotent-call';
import { StoredResponses } from './stored-responses';
import type { StoredResponse } from './stored-responses.sql';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    IDEMPOTENCY_KEY_REUSED: true;
    REQUEST_IN_PROGRESS: true;
  }
}

const RETRY_AFTER_SECONDS = 1;

/** Makes calls safe to repeat (spec: Idempotency rules 2 to 6). */
@Injectable()
export class Idempotency {
  constructor(
    private readonly transactions: Transactions,
    private readonly responses: StoredResponses,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * As `Transactions.run`, with the work wrapped by `once`.
   *
   * @throws IdempotencyKeyTaken
   */
  run<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(this.once(companyId, call, work));
  }

  /**
   * Wraps the work of a transaction: claims the key before it, and stores the response after it, in the same transaction.
   * A rollback releases the key, and so does the end of the process.
   *
   * @param call null for a call that came without a key: then the work is not wrapped
   * @returns work that throws `IdempotencyKeyTaken` when another call runs under the key, or has ended with a response
   */
  once<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    work: (tx: Transaction) => Promise<Result>,
  ): (tx: Transaction) => Promise<Result> {
    if (!call) return work;
    return this.claimed(companyId, call, work, (tx, result) =>
      this.responses.insert(tx, companyId, responseOf(call, result)),
    );
  }

  /**
   * As `run`, for a call that goes on after its commit: it has its response by `complete`.
   *
   * @param resourceOf the id by which `resume` finds what the call wrote
   * @throws IdempotencyKeyTaken
   */
  begin<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    resourceOf: (result: Result) => number,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (!call) return this.transactions.run(work);
    const begun = this.claimed(companyId, call, work, (tx, result) =>
      this.responses.begin(tx, companyId, call.key, resourceOf(result)),
    );
    return this.transactions.run(begun);
  }

  /**
   * Stores the response of a call that was begun.
   *
   * @throws IdempotencyKeyTaken when it has another one: the call was resumed
   */
  async complete<Result>(companyId: number, call: IdempotentCall<Result>, result: Result): Promise<void> {
    const own = responseOf(call, result);
    const stored = await this.responses.complete(companyId, own);
    if (stored !== null && stored !== own.response) throw new IdempotencyKeyTaken();
  }

  /**
   * To be called before work outside of the transaction, which a repeated call is not to do again.
   *
   * @throws IdempotencyKeyTaken when there is a response
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`
   */
  async assertNew<Result>(companyId: number, call: IdempotentCall<Result> | null): Promise<void> {
    if (call && (await this.find(companyId, call.key)) !== null) throw new IdempotencyKeyTaken();
  }

  /** Whether the key has been used, by whichever call. */
  async isUsed(companyId: number, key: string): Promise<boolean> {
    return (await this.responses.find(companyId, key)) !== null;
  }

  /**
   * Looks for an earlier call with the key, before one is begun. One that was begun and has no response, since its process
   * ended, is given one.
   *
   * @param standing what the call with this resource has come to; null while it is still under way
   * @throws IdempotencyKeyTaken when there is a response
   * @throws AppError `IDEMPOTENCY_KEY_REUSED`, `REQUEST_IN_PROGRESS`
   */
  async resume<Result>(
    companyId: number,
    call: IdempotentCall<Result> | null,
    standing: (resourceId: number) => Promise<Result | null>,
  ): Promise<void> {
    const stored = call && (await this.stored(companyId, call.key));
    if (!stored) return;
    if (stored.response === null) await this.completeAs(companyId, call, await standing(resourceIn(stored)));
    throw new IdempotencyKeyTaken();
  }

  /**
   * The first response, byte for byte. Null when nothing is stored under the key.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when it was another call
   */
  async find(companyId: number, key: IdempotencyKey): Promise<string | null> {
    return (await this.stored(companyId, key))?.response ?? null;
  }

  /** Whether a call holds the key: one that runs, or one that is just learning that it is taken. */
  async isHeld(companyId: number, key: IdempotencyKey): Promise<boolean> {
    return (await this.responses.running(companyId, key)) !== null;
  }

  /**
   * The response to a call whose key is taken, once there is one.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when another call took it, `REQUEST_IN_PROGRESS` when the same call still
   *   runs
   */
  async whenTaken(companyId: number, key: IdempotencyKey): Promise<string> {
    const response = await this.whenRefused(companyId, key);
    if (response === null) throw inProgress();
    return response;
  }

  /**
   * The response to a call that is refused, since its key comes before its body (decisions §12); null when no other call
   * has the key.
   *
   * @throws AppError as `whenTaken`
   */
  async whenRefused(companyId: number, key: IdempotencyKey): Promise<string | null> {
    // In this order: a call that ends in between is found by its response.
    const running = await this.responses.running(companyId, key);
    const stored = await this.stored(companyId, key);
    if (stored && stored.response !== null) return stored.response;
    if (!stored && running === 'other') throw reused();
    if (stored || running) throw inProgress();
    return null;
  }

  /** @param keep writes the key in the transaction of the work; false when it has been used */
  private claimed<Result>(
    companyId: number,
    { key }: IdempotentCall<Result>,
    work: (tx: Transaction) => Promise<Result>,
    keep: (tx: Transaction, result: Result) => Promise<boolean>,
  ): (tx: Transaction) => Promise<Result> {
    return async (tx) => {
      if (!(await this.responses.claim(tx, companyId, key))) throw new IdempotencyKeyTaken();
      this.faults.reach('idempotency.claimed');
      const result = await work(tx);
      this.faults.reach('idempotency.worked');
      if (!(await keep(tx, result))) throw new IdempotencyKeyTaken();
      this.faults.reach('idempotency.stored');
      this.transactions.afterCommit(tx, () => this.faults.reach('idempotency.committed'));
      return result;
    };
  }

  private async completeAs<Result>(
    companyId: number,
    call: IdempotentCall<Result>,
    standing: Result | null,
  ): Promise<void> {
    if (standing === null) throw inProgress();
    await this.complete(companyId, call, standing);
  }

  private async stored(
    companyId: number,
    { key, fingerprint }: IdempotencyKey,
  ): Promise<StoredResponse | null> {
    const stored = await this.responses.find(companyId, key);
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
    'this Idempotency-Key was used for another call or another body',
  );
}

function inProgress(): AppError {
  return new AppError('REQUEST_IN_PROGRESS', 'a call with this Idempotency-Key is still running', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
