import { AppError, type RetryKey } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IdempotencyKeys, type StoredResponse } from './ports/idempotency-keys';

const RETRY_AFTER_SECONDS = 1;

/** Answers a repeated call with what the first one was answered (spec: Idempotency rules 2 to 4). */
@Injectable()
export class Replays {
  constructor(private readonly keys: IdempotencyKeys) {}

  /**
   * The first response, byte for byte. Null when nothing is stored under the key.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when it was another call
   */
  async find(companyId: number, key: RetryKey): Promise<string | null> {
    const stored = await this.keys.find(companyId, key.key);
    return stored && responseTo(key, stored);
  }

  /** Whether a call holds the key: one that runs, or one that is just learning that it is taken. */
  async isHeld(companyId: number, key: RetryKey): Promise<boolean> {
    return (await this.keys.running(companyId, key)) !== null;
  }

  /**
   * What to answer to a call whose key is taken: the response, when there is one by now.
   *
   * @throws AppError `IDEMPOTENCY_KEY_REUSED` when it is another call that took it, `REQUEST_IN_PROGRESS` when it is
   *   the same one and still runs
   */
  async whenTaken(companyId: number, key: RetryKey): Promise<string> {
    const response = await this.whenRefused(companyId, key);
    if (response === null) throw inProgress();
    return response;
  }

  /**
   * What to answer to a call that is refused, since its key comes before its body (decisions §12); null when nobody has
   * the key.
   *
   * @throws AppError as `whenTaken`
   */
  async whenRefused(companyId: number, key: RetryKey): Promise<string | null> {
    // Who runs is looked at first: what they answer meanwhile is then found.
    const running = await this.keys.running(companyId, key);
    const response = await this.find(companyId, key);
    if (response !== null || running === null) return response;
    throw running === 'other' ? reused() : inProgress();
  }

  /**
   * Stores a response for a call that issues nothing.
   *
   * @throws IdempotencyKeyTaken
   */
  store(companyId: number, key: RetryKey, response: string): Promise<void> {
    return this.keys.store(companyId, key, response);
  }
}

function responseTo(key: RetryKey, { fingerprint, response }: StoredResponse): string {
  if (!fingerprint.equals(key.fingerprint)) throw reused();
  return response;
}

function reused(): AppError {
  const message = 'this Idempotency-Key was used for a call with another body or type';
  return new AppError('IDEMPOTENCY_KEY_REUSED', message);
}

function inProgress(): AppError {
  return new AppError('REQUEST_IN_PROGRESS', 'a call with this Idempotency-Key is still running', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
