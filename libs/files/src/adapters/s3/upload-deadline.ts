import type { S3Limits } from './s3-limits';

/**
 * The deadline for sending one object, over all attempts: `putMaxMs` in total, and `silenceMaxMs` without new bytes.
 * Bytes that were sent before are not new, so a hanging store does not get the whole time again at each attempt.
 */
export class UploadDeadline {
  private readonly up = new AbortController();
  private readonly last: NodeJS.Timeout;
  private silence: NodeJS.Timeout;
  private farthest = 0;

  constructor(private readonly limits: Pick<S3Limits, 'silenceMaxMs' | 'putMaxMs'>) {
    this.last = this.endAfter(limits.putMaxMs);
    this.silence = this.endAfter(limits.silenceMaxMs);
  }

  get signal(): AbortSignal {
    return this.up.signal;
  }

  /** @param position the number of bytes of the object that were passed to the store so far */
  reached(position: number): void {
    if (position <= this.farthest || this.signal.aborted) return;
    this.farthest = position;
    clearTimeout(this.silence);
    this.silence = this.endAfter(this.limits.silenceMaxMs);
  }

  /** Stops the timers. Call this after success and after failure. */
  end(): void {
    clearTimeout(this.last);
    clearTimeout(this.silence);
  }

  private endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.up.abort(new Error('the store took nothing more in time')), ms);
  }
}
